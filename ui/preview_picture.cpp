#include "ui/preview_picture.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ui/class_order.hpp"
#include "ui/theme.hpp"

namespace headroom::ui {
namespace {

/// As IM_COL32 packs it, opaque.
std::uint32_t packed_rgb(std::uint32_t rgb) {
  return IM_COL32(rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF, 255);
}

/// Sums over the pixels of a block.
struct Block {
  std::uint64_t red = 0, green = 0, blue = 0, covered = 0;

  /// `colour`: packed and opaque, or 0 for nothing.
  void add(std::uint32_t colour) {
    red += colour >> IM_COL32_R_SHIFT & 0xFF;
    green += colour >> IM_COL32_G_SHIFT & 0xFF;
    blue += colour >> IM_COL32_B_SHIFT & 0xFF;
    covered += colour == 0 ? 0 : 1;
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

struct Size {
  std::int64_t height = 0, width = 0;
};

/// The row of blocks of `by` x `by` source pixels from `top` on.
template <typename ColourAt>
void reduce_row(const Size& source, std::int64_t by, std::int64_t top, std::uint32_t* row,
                const ColourAt& colour_at) {
  const std::int64_t bottom = std::min(top + by, source.height);
  for (std::int64_t left = 0; left < source.width; left += by) {
    const std::int64_t right = std::min(left + by, source.width);
    Block block;
    for (std::int64_t y = top; y < bottom; ++y) {
      const std::int64_t first = y * source.width;
      for (std::int64_t x = left; x < right; ++x)
        block.add(colour_at(static_cast<std::size_t>(first + x)));
    }
    *row++ = block.mean(static_cast<std::uint64_t>((bottom - top) * (right - left)));
  }
}

/// `colour_at(index)` of every source pixel: packed and opaque, or 0 for nothing.
template <typename ColourAt>
GrowingPicture reduced_picture(const Size& source, std::int64_t reduction, ColourAt colour_at) {
  const std::int64_t by = std::max<std::int64_t>(1, reduction);
  return {source.height, source.width, by, [=](std::int64_t top, Picture& picture) {
            const std::size_t first = picture.pixels.size();
            picture.pixels.resize(first + static_cast<std::size_t>(picture.width));
            std::uint32_t* const row = picture.pixels.data() + first;
            if (by > 1) {
              reduce_row(source, by, top, row, colour_at);
              return;
            }
            for (std::int64_t x = 0; x < source.width; ++x)
              row[x] = colour_at(static_cast<std::size_t>(top * source.width + x));
          }};
}

std::optional<Mismatch> mismatch_of(std::uint8_t truth, std::uint8_t prediction,
                                    const LabelColours& colours) {
  if (truth == prediction || truth == base::kIgnoreLabel || prediction == base::kIgnoreLabel) {
    return {};
  }
  if (colours[truth] == 0) return Mismatch::found;
  return colours[prediction] != 0 ? Mismatch::other_class : Mismatch::missed;
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

GrowingPicture::GrowingPicture(std::int64_t height, std::int64_t width, std::int64_t reduction,
                               AddRow add_row)
    : height_(height),
      width_(width),
      reduction_(reduction),
      add_row_(std::move(add_row)),
      picture_(std::make_shared<Picture>()) {
  picture_->height = (height + reduction - 1) / reduction;
  picture_->width = (width + reduction - 1) / reduction;
  picture_->pixels.reserve(static_cast<std::size_t>(picture_->height * picture_->width));
}

std::int64_t GrowingPicture::grow(std::int64_t source_pixels) {
  std::int64_t read = 0;
  while (!is_complete() && read < source_pixels) {
    add_row_(next_top_, *picture_);
    read += std::min(reduction_, height_ - next_top_) * width_;
    next_top_ += reduction_;
  }
  return read;
}

GrowingPicture growing_image(const run::SharedPreview& preview, std::int64_t reduction) {
  const base::Image& image = preview->image;
  const bool is_shown = image.type == base::PixelType::u8 && image.height > 0 && image.width > 0 &&
                        (image.channels == 1 || image.channels == 3) &&
                        image.height <= run::SamplePreview::kMostPixels &&
                        image.width <= run::SamplePreview::kMostPixels &&
                        image.byte_size() == image.height * image.width * image.channels;
  if (!is_shown) return {};
  const auto channels = static_cast<std::size_t>(image.channels);
  // The preview, captured too, keeps what the pointer shows.
  const std::byte* const bytes = image.pixels.data();
  return reduced_picture(
      {image.height, image.width}, reduction, [preview, bytes, channels](std::size_t pixel) {
        const std::byte* const at = bytes + pixel * channels;
        const auto value = [at](std::size_t channel) {
          return static_cast<std::uint32_t>(at[channel]);
        };
        return IM_COL32(value(0), value((channels - 1) / 2), value(channels - 1), 255);
      });
}

LabelColours label_colours(std::span<const std::string> class_names) {
  LabelColours colours{};
  std::size_t number = 0;
  for (std::size_t id = 0; id < base::kIgnoreLabel; ++id) {
    if (id < class_names.size() && is_background(class_names[id])) continue;
    colours[id] = packed_rgb(overlay_class_colour(number++));
  }
  return colours;
}

GrowingPicture growing_overlay(const run::SharedPreview& preview, PreviewLayer layer,
                               const LabelColours& colours, std::int64_t reduction) {
  const base::LabelImage& truth = preview->truth;
  const base::LabelImage& prediction = preview->prediction;
  const base::LabelImage& shown = layer == PreviewLayer::prediction ? prediction : truth;
  if (!is_whole(shown)) return {};
  const Size size{shown.height, shown.width};
  // The preview, captured too, keeps what the pointers show.
  if (layer != PreviewLayer::difference) {
    const std::uint8_t* const labels = shown.labels.data();
    return reduced_picture(size, reduction, [preview, labels, colours](std::size_t pixel) {
      return colours[labels[pixel]];
    });
  }
  if (!is_whole(prediction) || truth.height != prediction.height ||
      truth.width != prediction.width) {
    return {};
  }
  std::array<std::uint32_t, kMismatches> of_mismatch{};
  for (std::size_t i = 0; i < kMismatches; ++i)
    of_mismatch[i] = packed_rgb(mismatch_colour(static_cast<Mismatch>(i)));
  const std::uint8_t* const right = truth.labels.data();
  const std::uint8_t* const found = prediction.labels.data();
  return reduced_picture(
      size, reduction, [preview, right, found, colours, of_mismatch](std::size_t pixel) {
        const auto mismatch = mismatch_of(right[pixel], found[pixel], colours);
        return mismatch.has_value() ? of_mismatch[static_cast<std::size_t>(*mismatch)] : 0;
      });
}

std::int64_t reduction_for(double zoom) {
  constexpr std::int64_t kMost = 64;
  std::int64_t reduction = 1;
  while (reduction < kMost && zoom * static_cast<double>(2 * reduction) <= 1) reduction *= 2;
  return reduction;
}

}  // namespace headroom::ui
