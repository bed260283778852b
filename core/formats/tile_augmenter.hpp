#pragma once
// Changes of training tiles by OpenCV. Any thread; made by one.

#include <memory>

#include "core/data/tile_augmenter.hpp"

namespace headroom::formats {

/// Makes OpenCV work in the thread that calls it, for the whole process: loaders are threads
/// already.
[[nodiscard]] std::shared_ptr<const data::TileAugmenter> make_tile_augmenter();

}  // namespace headroom::formats
