#pragma once
// Rectangles of an image's pixels. Values; any thread.

#include <cstdint>

namespace headroom::base {

/// Columns [left, left + width) of the rows [top, top + height).
struct PixelWindow {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;

  [[nodiscard]] std::int64_t right() const { return left + width; }
  [[nodiscard]] std::int64_t bottom() const { return top + height; }
  friend bool operator==(const PixelWindow&, const PixelWindow&) = default;
};

/// Blocks of this size cover an image from its upper left corner on; those at its right and lower
/// edge reach over it.
struct BlockSize {
  std::int64_t height = 0;
  std::int64_t width = 0;
  friend bool operator==(const BlockSize&, const BlockSize&) = default;
};

}  // namespace headroom::base
