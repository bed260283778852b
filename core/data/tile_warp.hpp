#pragma once
// Free rotation, scale and elastic deformation of a tile about its middle, as numbers. Values; any
// thread.

#include <cstdint>
#include <vector>

#include "core/data/augmentation.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {

/// Rows down, columns across; in pixels.
struct Offset {
  double down = 0;
  double across = 0;
};

struct TileWarp {
  double degrees = 0;     ///< counter-clockwise
  double scale = 1;       ///< above 1 things look larger
  double elastic_px = 0;  ///< standard deviation of the displacements, in pixels of the tile

  friend bool operator==(const TileWarp&, const TileWarp&) = default;
};

/// What the augmentation makes of a tile: often the warp that changes nothing.
[[nodiscard]] TileWarp draw_warp(const Augmentation& augmentation, CounterRandom random);

/// Where a pixel of the tile lies in the window that it is cut from, both from their middles;
/// elastic displacement left out.
[[nodiscard]] Offset window_offset(const TileWarp& warp, Offset in_tile);
/// The inverse.
[[nodiscard]] Offset tile_offset(const TileWarp& warp, Offset in_window);

/// Longest displacement that elastic_px can give, in pixels of the tile.
[[nodiscard]] double farthest_displacement(const TileWarp& warp);

/// Pixels that the window has more than the tile, on each side; below 0 where it is smaller. With
/// them every pixel of the tile and the neighbours that it is interpolated from lie inside.
struct WindowMargin {
  std::int64_t down = 0;
  std::int64_t across = 0;
};
[[nodiscard]] WindowMargin window_margin(const TileWarp& warp, std::int64_t tile_height,
                                         std::int64_t tile_width);

/// Displacements at the corners of a coarse grid over the tile, to be interpolated bicubically.
struct DisplacementGrid {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<float> down{};    ///< [rows, columns], in pixels of the tile
  std::vector<float> across{};  ///< the same
};
[[nodiscard]] DisplacementGrid draw_displacements(const TileWarp& warp, std::int64_t tile_height,
                                                  std::int64_t tile_width, CounterRandom random);

}  // namespace headroom::data
