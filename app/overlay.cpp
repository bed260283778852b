#include "app/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "app/data/display_image.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_writer.hpp"
#include "core/train/metrics.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kRgb = 3;

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
