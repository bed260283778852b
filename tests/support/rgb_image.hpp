#pragma once
// Small images of bytes by hand.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/image.hpp"

namespace headroom::tests {

/// [h, w, 3]
inline base::Image image_of(std::int64_t height, std::int64_t width, std::vector<int> values) {
  base::Image image{.height = height, .width = width, .channels = 3};
  for (const int value : values) image.pixels.push_back(static_cast<std::byte>(value));
  return image;
}

inline std::vector<int> values_of(const base::Image& image) {
  std::vector<int> values;
  for (const std::byte value : image.pixels) values.push_back(std::to_integer<int>(value));
  return values;
}

}  // namespace headroom::tests
