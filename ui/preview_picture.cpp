#include "ui/preview_picture.hpp"

#include <algorithm>
#include <optional>

#include "ui/class_order.hpp"
#include "ui/theme.hpp"

namespace headroom::ui {
namespace {

struct Rgb {
  std::uint32_t red = 0, green = 0, blue = 0;
};

Rgb rgb_of(std::uint32_t value) { return {value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF}; }

/// Sums over the pixels of a block.
struct Block {
  std::uint64_t red = 0, green = 0, blue = 0, covered = 0;

  void add(const Rgb& colour) {
    red += colour.red;
    green += colour.green;
    blue += colour.blue;
    ++covered;
  }
  [[nodiscard]] std::uint32_t mean(std::uint64_t pixels) const {
    if (covered == 0) return 0;
    const auto byte = [](std::uint64_t sum, std::uint64_t count) {
      return static_cast<std::uint32_t>((sum + count / 2) / count);
    };
    return IM_COL32(byte(red, covered), byte(green, covered), byte(blue, covered),
                    byte(covered * 255, pixels));
  }
};

/// `colour_at(index)` of every source pixel: an Rgb, or nothing.
template <typename ColourAt>
SharedPicture reduced_picture(std::int64_t height, std::int64_t width, std::int64_t reduction,
                              ColourAt colour_at) {
  const std::int64_t by = std::max<std::int64_t>(1, reduction);
  auto picture = std::make_shared<Picture>();
  picture->height = (height + by - 1) / by;
  picture->width = (width + by - 1) / by;
  picture->pixels.reserve(static_cast<std::size_t>(picture->height * picture->width));
  for (std::int64_t top = 0; top < height; top += by) {
    for (std::int64_t left = 0; left < width; left += by) {
      const std::int64_t bottom = std::min(top + by, height), right = std::min(left + by, width);
      Block block;
      for (std::int64_t y = top; y < bottom; ++y) {
        for (std::int64_t x = left; x < right; ++x) {
          const std::optional<Rgb> colour = colour_at(static_cast<std::size_t>(y * width + x));
          if (colour.has_value()) block.add(*colour);
        }
      }
      const auto pixels = static_cast<std::uint64_t>((bottom - top) * (right - left));
      picture->pixels.push_back(block.mean(pixels));
    }
  }
  return picture;
}

/// A colour for each label; nothing for the background and for what is ignored.
using LabelColours = std::array<std::optional<Rgb>, 256>;

LabelColours label_colours(std::span<const std::string> class_names) {
  LabelColours colours;
  for (std::size_t id = 0; id < base::kIgnoreLabel; ++id) {
    if (const auto number = foreground_number(class_names, id)) {
      colours[id] = rgb_of(overlay_class_colour(*number));
    }
  }
  return colours;
}

std::optional<Mismatch> mismatch_of(std::uint8_t truth, std::uint8_t prediction,
                                    const LabelColours& colours) {
  if (truth == prediction || truth == base::kIgnoreLabel || prediction == base::kIgnoreLabel) {
    return {};
  }
  if (!colours[truth].has_value()) return Mismatch::found;
  return colours[prediction].has_value() ? Mismatch::other_class : Mismatch::missed;
}

bool is_whole(const base::LabelImage& labels) {
  return labels.height > 0 && labels.width > 0 &&
         labels.height <= run::SamplePreview::kMostPixels &&
         labels.width <= run::SamplePreview::kMostPixels &&
         static_cast<std::int64_t>(labels.labels.size()) == labels.height * labels.width;
}

}  // namespace

std::uint32_t mismatch_colour(Mismatch mismatch) {
  switch (mismatch) {
    case Mismatch::found:
      return overlay_class_colour(2);
    case Mismatch::missed:
      return overlay_class_colour(0);
    case Mismatch::other_class:
      break;
  }
  return overlay_class_colour(1);
}

SharedPicture image_picture(const base::Image& image, std::int64_t reduction) {
  const bool is_shown = image.type == base::PixelType::u8 && image.height > 0 && image.width > 0 &&
                        (image.channels == 1 || image.channels == 3) &&
                        image.height <= run::SamplePreview::kMostPixels &&
                        image.width <= run::SamplePreview::kMostPixels &&
                        image.byte_size() == image.height * image.width * image.channels;
  if (!is_shown) return nullptr;
  const auto channels = static_cast<std::size_t>(image.channels);
  const auto value = [&](std::size_t index) {
    return static_cast<std::uint32_t>(image.pixels[index]);
  };
  return reduced_picture(
      image.height, image.width, reduction, [&](std::size_t pixel) -> std::optional<Rgb> {
        const std::size_t first = pixel * channels;
        return Rgb{value(first), value(first + (channels - 1) / 2), value(first + channels - 1)};
      });
}

SharedPicture overlay_picture(const run::SamplePreview& preview, PreviewLayer layer,
                              std::span<const std::string> class_names, std::int64_t reduction) {
  const base::LabelImage& truth = preview.truth;
  const base::LabelImage& prediction = preview.prediction;
  if (!is_whole(truth) || !is_whole(prediction) || truth.height != prediction.height ||
      truth.width != prediction.width) {
    return nullptr;
  }
  const LabelColours colours = label_colours(class_names);
  if (layer != PreviewLayer::difference) {
    const auto& labels = layer == PreviewLayer::truth ? truth.labels : prediction.labels;
    return reduced_picture(truth.height, truth.width, reduction,
                           [&](std::size_t pixel) { return colours[labels[pixel]]; });
  }
  std::array<Rgb, kMismatches> of_mismatch;
  for (std::size_t i = 0; i < kMismatches; ++i) {
    of_mismatch[i] = rgb_of(mismatch_colour(static_cast<Mismatch>(i)));
  }
  return reduced_picture(
      truth.height, truth.width, reduction, [&](std::size_t pixel) -> std::optional<Rgb> {
        const auto mismatch = mismatch_of(truth.labels[pixel], prediction.labels[pixel], colours);
        if (!mismatch.has_value()) return {};
        return of_mismatch[static_cast<std::size_t>(*mismatch)];
      });
}

std::int64_t reduction_for(double zoom) {
  constexpr std::int64_t kMost = 64;
  std::int64_t reduction = 1;
  while (reduction < kMost && zoom * static_cast<double>(2 * reduction) <= 1) reduction *= 2;
  return reduction;
}

}  // namespace headroom::ui
