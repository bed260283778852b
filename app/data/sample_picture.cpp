#include "app/data/sample_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include "app/data/display_image.hpp"
#include "core/base/error.hpp"

namespace headroom::app {
namespace {

constexpr std::int64_t kThumbnailPixels = 256;
/// Beyond this, decoding would take memory that a training needs.
constexpr std::int64_t kMostPixels = 100'000'000;

ui::SharedPicture packed_picture(const base::Image& rgb) {
  auto picture = std::make_shared<ui::Picture>();
  picture->height = rgb.height;
  picture->width = rgb.width;
  picture->pixels.reserve(static_cast<std::size_t>(rgb.height * rgb.width));
  for (std::size_t i = 0; i + 2 < rgb.pixels.size(); i += 3) {
    const auto value = [&](std::size_t channel) {
      return std::to_integer<std::uint32_t>(rgb.pixels[i + channel]);
    };
    picture->pixels.push_back(IM_COL32(value(0), value(1), value(2), 255));
  }
  return picture;
}

SamplePicture read(const data::SampleReader& reader, const data::Sample& sample,
                   std::size_t index) {
  data::DecodedSample decoded = reader.read(sample);
  base::Image rgb = reduced(displayable(decoded.image), run::SamplePreview::kMostPixels);
  SamplePicture made;
  made.thumbnail = packed_picture(reduced(rgb, kThumbnailPixels));
  made.view = {.sample = index,
               .picture = std::make_shared<const run::SamplePreview>(run::SamplePreview{
                   .sample_id = sample.id,
                   .full_height = decoded.image.height,
                   .full_width = decoded.image.width,
                   .mean_dice = std::numeric_limits<double>::quiet_NaN(),
                   .image = std::move(rgb),
                   .truth = reduced(std::move(decoded.labels), run::SamplePreview::kMostPixels)})};
  return made;
}

SamplePicture unreadable(std::size_t index, std::string problem) {
  return {.view = {.sample = index, .problem = std::move(problem)}};
}

}  // namespace

SamplePicture read_sample_picture(const data::SampleReader& reader, const data::Sample& sample,
                                  std::size_t index) {
  if (sample.height > kMostPixels / std::max<std::int64_t>(1, sample.width)) {
    return unreadable(index,
                      fmt::format("it has {} \xC3\x97 {} pixels, more than are looked at here",
                                  sample.width, sample.height));
  }
  try {
    return read(reader, sample, index);
  } catch (const base::Error& error) {
    return unreadable(index, error.parts().subject);
  } catch (const std::exception& error) {
    return unreadable(index, error.what());
  }
}

}  // namespace headroom::app
