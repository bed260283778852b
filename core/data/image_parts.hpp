#pragma once
// Images cut into parts and parts put together. Pure; any thread.

#include <cstdint>
#include <vector>

#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"

namespace headroom::data {

/// An image, and the blocks in which it is stored.
struct BlockedImage {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t pixel_bytes = 0;  ///< decoded
  base::BlockSize block{};
};

/// Windows that cover the image once, row by row, each of whole blocks (at the edges what the image
/// has of them). They take at most `most_bytes` decoded, unless a single block takes more.
[[nodiscard]] std::vector<base::PixelWindow> cut_into_parts(const BlockedImage& image,
                                                            std::int64_t most_bytes);

/// Room for a window of an image like `like`: its type, bands and nodata; all values 0.
[[nodiscard]] base::Image make_part(const base::Image& like, const base::PixelWindow& window);

/// Copies the pixels that two windows of one image share.
void copy_overlap(const base::Image& from, const base::PixelWindow& from_window, base::Image& to,
                  const base::PixelWindow& to_window);
void copy_overlap(const base::LabelImage& from, const base::PixelWindow& from_window,
                  base::LabelImage& to, const base::PixelWindow& to_window);

/// `window` lies inside the image.
[[nodiscard]] base::Image crop(const base::Image& image, const base::PixelWindow& window);
[[nodiscard]] base::LabelImage crop(const base::LabelImage& image, const base::PixelWindow& window);

}  // namespace headroom::data
