#include "app/data/display_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/data/pixel_dispatch.hpp"

namespace headroom::app {
namespace {

constexpr std::int64_t kRgb = 3;

struct Stretch {
  float low = 0;
  float high = 255;
};

/// Percentiles of evenly spaced values of one band of [pixels, channels]; without what is missing.
Stretch stretch_of_band(std::span<const float> values, std::int64_t channels, std::int64_t band,
                        std::optional<double> nodata) {
  constexpr std::int64_t kValues = 1 << 16;
  const std::int64_t pixels = static_cast<std::int64_t>(values.size()) / channels;
  const std::int64_t stride = std::max<std::int64_t>(1, pixels / kValues);
  std::vector<float> chosen;
  for (std::int64_t pixel = 0; pixel < pixels; pixel += stride) {
    const float value = values[static_cast<std::size_t>(pixel * channels + band)];
    if (std::isfinite(value) && (!nodata || value != static_cast<float>(*nodata)))
      chosen.push_back(value);
  }
  if (chosen.empty()) return {};
  const auto percentile = [&chosen](std::size_t percent) {
    const auto place =
        chosen.begin() + static_cast<std::ptrdiff_t>((chosen.size() - 1) * percent / 100);
    std::nth_element(chosen.begin(), place, chosen.end());
    return *place;
  };
  const float low = percentile(1);
  return {low, percentile(99)};
}

std::byte stretched(float value, Stretch stretch) {
  if (std::isnan(value)) return std::byte{0};
  const float span = stretch.high - stretch.low;
  const float share = span > 0 ? (value - stretch.low) / span : 0.0F;
  return static_cast<std::byte>(static_cast<int>(std::clamp(share, 0.0F, 1.0F) * 255.0F + 0.5F));
}

/// As they are stored, what is missing too.
std::vector<float> values_of(const base::Image& image) {
  std::vector<float> values(static_cast<std::size_t>(image.height * image.width * image.channels));
  data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const T* value = data::values_of<T>(image);
    for (float& each : values) each = static_cast<float>(*value++);
  });
  return values;
}

base::Image empty_rgb(std::int64_t height, std::int64_t width) {
  base::Image rgb{.height = height, .width = width, .channels = kRgb};
  rgb.pixels.resize(static_cast<std::size_t>(height * width * kRgb));
  return rgb;
}

/// The pixels of a side that become one of a shorter side: [begin, end).
struct Area {
  std::int64_t begin = 0, end = 0;

  [[nodiscard]] std::int64_t middle() const { return (begin + end) / 2; }
};

Area area_of(std::int64_t pixel, std::int64_t shorter_side, std::int64_t side) {
  return {pixel * side / shorter_side, (pixel + 1) * side / shorter_side};
}

struct Size {
  std::int64_t height = 0, width = 0;
};

Size reduced_size(std::int64_t height, std::int64_t width, std::int64_t most_pixels) {
  const std::int64_t longest = std::max(height, width);
  if (longest <= most_pixels) return {height, width};
  return {std::max<std::int64_t>(1, height * most_pixels / longest),
          std::max<std::int64_t>(1, width * most_pixels / longest)};
}

/// The mean of an area, channel by channel.
void put_mean(const base::Image& rgb, Area rows, Area columns, std::span<std::byte> target) {
  std::array<std::int64_t, kRgb> sums{};
  for (std::int64_t y = rows.begin; y < rows.end; ++y) {
    const auto* value = rgb.pixels.data() + (y * rgb.width + columns.begin) * kRgb;
    for (std::int64_t x = columns.begin; x < columns.end; ++x) {
      for (std::int64_t& sum : sums) sum += std::to_integer<std::int64_t>(*value++);
    }
  }
  const std::int64_t pixels = (rows.end - rows.begin) * (columns.end - columns.begin);
  for (std::size_t i = 0; i < sums.size(); ++i)
    target[i] = static_cast<std::byte>((sums[i] + pixels / 2) / pixels);
}

}  // namespace

base::Image displayable(const base::Image& image) {
  if (image.type == base::PixelType::u8 && image.channels == kRgb) return image;
  const std::vector<float> values = values_of(image);
  std::array<Stretch, kRgb> stretches{};
  std::array<std::int64_t, kRgb> bands{};
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    bands[i] = image.channels >= kRgb ? static_cast<std::int64_t>(i) : 0;
    if (image.type != base::PixelType::u8)
      stretches[i] = stretch_of_band(values, image.channels, bands[i], image.nodata);
  }
  base::Image rgb = empty_rgb(image.height, image.width);
  auto target = rgb.pixels.begin();
  for (std::int64_t pixel = 0; pixel < image.height * image.width; ++pixel) {
    for (std::size_t i = 0; i < stretches.size(); ++i)
      *target++ = stretched(values[static_cast<std::size_t>(pixel * image.channels + bands[i])],
                            stretches[i]);
  }
  return rgb;
}

base::Image reduced(base::Image rgb, std::int64_t most_pixels) {
  const Size size = reduced_size(rgb.height, rgb.width, most_pixels);
  if (size.height == rgb.height && size.width == rgb.width) return rgb;
  base::Image smaller = empty_rgb(size.height, size.width);
  std::byte* target = smaller.pixels.data();
  for (std::int64_t y = 0; y < size.height; ++y) {
    const Area rows = area_of(y, size.height, rgb.height);
    for (std::int64_t x = 0; x < size.width; ++x, target += kRgb)
      put_mean(rgb, rows, area_of(x, size.width, rgb.width), {target, kRgb});
  }
  return smaller;
}

base::LabelImage reduced(base::LabelImage labels, std::int64_t most_pixels) {
  const Size size = reduced_size(labels.height, labels.width, most_pixels);
  if (size.height == labels.height && size.width == labels.width) return labels;
  base::LabelImage smaller{.height = size.height, .width = size.width};
  smaller.labels.reserve(static_cast<std::size_t>(size.height * size.width));
  for (std::int64_t y = 0; y < size.height; ++y) {
    const std::int64_t row = area_of(y, size.height, labels.height).middle() * labels.width;
    for (std::int64_t x = 0; x < size.width; ++x) {
      const std::int64_t column = area_of(x, size.width, labels.width).middle();
      smaller.labels.push_back(labels.labels[static_cast<std::size_t>(row + column)]);
    }
  }
  return smaller;
}

}  // namespace headroom::app
