#pragma once
// What of an image a tile is made from, so that no more of a large one is read. Pure; any thread.

#include "core/base/pixel_window.hpp"
#include "core/data/sample.hpp"
#include "core/data/tile_sampler.hpp"

namespace headroom::data {

/// The smallest window of the image that holds every pixel which build_tile shows for `request`,
/// those mirrored at the image's edge included. Where the request reaches over an edge the window
/// ends there, so that a tile built from it alone is mirrored in the same place.
[[nodiscard]] base::PixelWindow source_window(const TileRequest& request, const Sample& sample);

/// The request in pixels of an image whose upper left corner is at (top, left) of the whole.
[[nodiscard]] TileRequest moved_to(TileRequest request, std::int64_t top, std::int64_t left);

}  // namespace headroom::data
