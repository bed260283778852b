// The values of an image as numbers, for comparisons.
#pragma once

#include <vector>

#include "core/data/pixel_dispatch.hpp"

namespace headroom::tests {

/// [h, w, c]
inline std::vector<double> values_in(const base::Image& image) {
  return data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const T* begin = data::values_of<T>(image);
    return std::vector<double>(begin,
                               begin + image.byte_size() / static_cast<std::int64_t>(sizeof(T)));
  });
}

}  // namespace headroom::tests
