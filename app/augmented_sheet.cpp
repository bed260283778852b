#include "app/augmented_sheet.hpp"

#include <algorithm>
#include <utility>

#include "app/data/display_image.hpp"
#include "core/data/tile_picture.hpp"

namespace headroom::app {
namespace {

constexpr std::int64_t kRows = 4, kColumns = 4;
constexpr std::int64_t kRgb = 3;
constexpr std::int64_t kMostSide = 192;
constexpr std::int64_t kGap = 4;

void paste(const base::Image& picture, std::int64_t top, std::int64_t left, base::Image& sheet) {
  const std::int64_t row_bytes = picture.width * kRgb;
  for (std::int64_t y = 0; y < picture.height; ++y) {
    std::copy_n(picture.pixels.begin() + y * row_bytes, row_bytes,
                sheet.pixels.begin() + ((top + y) * sheet.width + left) * kRgb);
  }
}

}  // namespace

base::Image draw_augmented_sheet(const data::TrainingTiles& tiles, const Colours& colours) {
  base::Image sheet;
  for (std::int64_t k = 0; k < kRows * kColumns; ++k) {
    data::TilePicture tile = data::picture_of_tile(tiles, k);
    base::Image plain = reduced(std::move(tile.image), kMostSide);
    const std::int64_t down = plain.height + kGap, across = 2 * plain.width + kGap;
    if (k == 0) {
      sheet = {.height = kRows * down - kGap, .width = kColumns * across - kGap, .channels = kRgb};
      sheet.pixels.resize(static_cast<std::size_t>(sheet.height * sheet.width * kRgb));
    }
    const std::int64_t top = k / kColumns * down, left = k % kColumns * across;
    paste(plain, top, left, sheet);
    const std::int64_t beside = left + plain.width;
    paste(draw_classes(std::move(plain), reduced(std::move(tile.labels), kMostSide), colours), top,
          beside, sheet);
  }
  return sheet;
}

}  // namespace headroom::app
