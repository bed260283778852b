#include "app/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/data/tile_builder.hpp"
#include "core/formats/raster_writer.hpp"

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

/// A sample's id as one file name.
/// The sample's path as one name, without its extension.
std::string file_name_of(const std::string& sample_id) {
  const std::string stem = sample_id.substr(0, sample_id.rfind('.'));
  std::string name;
  for (const char c : stem) name += c == '/' ? std::string("__") : std::string(1, c);
  return name;
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

PreviewWriter::PreviewWriter(fs::path folder, std::shared_ptr<const Colours> colours)
    : folder_(std::move(folder)), colours_(std::move(colours)) {}

void PreviewWriter::operator()(const train::Preview& preview) const {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) throw base::io_error("making the folder of previews", folder_, failure.value());
  const base::Image rgb = displayable(preview.image);
  const std::array pictures = {rgb, draw_classes(rgb, preview.truth, *colours_),
                               draw_classes(rgb, preview.prediction, *colours_)};
  const std::string name =
      fmt::format("step_{:06}_validation_{}.png", preview.step, file_name_of(preview.sample_id));
  formats::write_png(folder_ / name, side_by_side(pictures));
}

}  // namespace headroom::app
