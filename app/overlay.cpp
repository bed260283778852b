#include "app/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/data/tile_builder.hpp"
#include "core/formats/raster_writer.hpp"
#include "core/train/metrics.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kRgb = 3;

struct Stretch {
  float low = 0;
  float high = 255;
};

/// Percentiles of evenly spaced values of one band of [pixels, channels].
Stretch stretch_of_band(std::span<const float> values, std::int64_t channels, std::int64_t band) {
  constexpr std::int64_t kValues = 1 << 16;
  const std::int64_t pixels = static_cast<std::int64_t>(values.size()) / channels;
  const std::int64_t stride = std::max<std::int64_t>(1, pixels / kValues);
  std::vector<float> chosen;
  for (std::int64_t pixel = 0; pixel < pixels; pixel += stride)
    chosen.push_back(values[static_cast<std::size_t>(pixel * channels + band)]);
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
  const float span = stretch.high - stretch.low;
  const float share = span > 0 ? (value - stretch.low) / span : 0.0F;
  return static_cast<std::byte>(static_cast<int>(std::clamp(share, 0.0F, 1.0F) * 255.0F + 0.5F));
}

std::vector<float> values_of(const base::Image& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const data::Normalisation as_stored{.mode = "none",
                                      .shift = std::vector<double>(channels, 0.0),
                                      .scale = std::vector<double>(channels, 1.0)};
  std::vector<float> values(static_cast<std::size_t>(image.height * image.width) * channels);
  data::normalise_image(image, as_stored, values);
  return values;
}

base::Image empty_rgb(std::int64_t height, std::int64_t width) {
  base::Image rgb{.height = height, .width = width, .channels = kRgb};
  rgb.pixels.resize(static_cast<std::size_t>(height * width * kRgb));
  return rgb;
}

/// Pictures of one height next to each other.
base::Image side_by_side(std::span<const base::Image> pictures) {
  std::int64_t width = 0;
  for (const base::Image& picture : pictures) width += picture.width;
  base::Image joined = empty_rgb(pictures.front().height, width);
  auto target = joined.pixels.begin();
  for (std::int64_t y = 0; y < joined.height; ++y) {
    for (const base::Image& picture : pictures) {
      const std::int64_t row_bytes = picture.width * kRgb;
      target = std::copy_n(picture.pixels.begin() + y * row_bytes, row_bytes, target);
    }
  }
  return joined;
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

/// The sample's path as one name, without its extension.
std::string file_name_of(const std::string& sample_id) {
  const std::string stem = sample_id.substr(0, sample_id.rfind('.'));
  std::string name;
  for (const char c : stem) name += c == '/' ? std::string("__") : std::string(1, c);
  return name;
}

run::SharedPreview shown(const train::Preview& preview, base::Image rgb, std::int64_t classes) {
  constexpr std::int64_t kMostPixels = run::SamplePreview::kMostPixels;
  train::ConfusionMatrix confusion(classes);
  confusion.add(preview.truth, preview.prediction);
  return std::make_shared<const run::SamplePreview>(
      run::SamplePreview{.sample_id = preview.sample_id,
                         .step = preview.step,
                         .full_height = preview.image.height,
                         .full_width = preview.image.width,
                         .mean_dice = confusion.mean().dice,
                         .image = reduced(std::move(rgb), kMostPixels),
                         .truth = reduced(preview.truth, kMostPixels),
                         .prediction = reduced(preview.prediction, kMostPixels)});
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
      stretches[i] = stretch_of_band(values, image.channels, bands[i]);
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

base::Image draw_classes(base::Image rgb, const base::LabelImage& labels, const Colours& colours) {
  for (std::size_t pixel = 0; pixel < labels.labels.size(); ++pixel) {
    const std::uint8_t label = labels.labels[pixel];
    if (label == base::kIgnoreLabel) continue;
    for (std::size_t i = 0; i < kRgb; ++i) {
      std::byte& value = rgb.pixels[pixel * kRgb + i];
      const std::uint32_t colour = colours.at(label) >> (8 * (kRgb - 1 - i)) & 0xFFU;
      value = static_cast<std::byte>((std::to_integer<std::uint32_t>(value) + colour) / 2);
    }
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

PreviewWriter::PreviewWriter(fs::path folder, std::shared_ptr<const Colours> colours,
                             PreviewUse use)
    : folder_(std::move(folder)), colours_(std::move(colours)), use_(use) {}

run::SharedPreview PreviewWriter::operator()(const train::Preview& preview) const {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) throw base::io_error("making the folder of previews", folder_, failure.value());
  base::Image rgb = displayable(preview.image);
  const std::array pictures = {rgb, draw_classes(rgb, preview.truth, *colours_),
                               draw_classes(rgb, preview.prediction, *colours_)};
  const std::string name =
      fmt::format("step_{:06}_validation_{}.png", preview.step, file_name_of(preview.sample_id));
  formats::write_png(folder_ / name, side_by_side(pictures));
  return use_ == PreviewUse::shown ? shown(preview, std::move(rgb), std::ssize(*colours_))
                                   : nullptr;
}

}  // namespace headroom::app
