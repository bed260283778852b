#include "core/data/tile_warp.hpp"

#include <cmath>
#include <numbers>

#include "core/base/rounding.hpp"

namespace headroom::data {
namespace {

/// Pixels between the points of the displacement grid at most: 3 x 3 points on a tile of 256, as in
/// the U-Net paper, so that displacements of some pixels bend a tile and do not fold it.
constexpr std::int64_t kGridSpacing = 128;
/// A sum of four even draws is never farther from its mean, in standard deviations.
constexpr double kFarthestDraw = 3.4641016151377544;
/// What the sizes of bicubic weights (a = -0.75) add up to at most, in each direction.
constexpr double kOvershoot = 1.375 * 1.375;

struct Turn {
  double cosine = 1;
  double sine = 0;
};

Turn turn_of(const TileWarp& warp) {
  const double radians = warp.degrees * std::numbers::pi / 180;
  return {std::cos(radians), std::sin(radians)};
}

/// Close to normal, of mean 0 and standard deviation 1, and bounded.
double draw_bell(CounterRandom& random) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += random.unit();
  return (sum - 2) * std::numbers::sqrt3;
}

}  // namespace

TileWarp draw_warp(const Augmentation& augmentation, CounterRandom random) {
  TileWarp warp;
  warp.elastic_px = draw(augmentation.elastic, 0, random);
  warp.scale = draw_factor(augmentation.scale, random);
  warp.degrees = draw(augmentation.rotation, 0, random);
  return warp;
}

Offset window_offset(const TileWarp& warp, Offset in_tile) {
  const auto [cosine, sine] = turn_of(warp);
  return {(in_tile.down * cosine + in_tile.across * sine) / warp.scale,
          (in_tile.across * cosine - in_tile.down * sine) / warp.scale};
}

Offset tile_offset(const TileWarp& warp, Offset in_window) {
  const auto [cosine, sine] = turn_of(warp);
  return {(in_window.down * cosine - in_window.across * sine) * warp.scale,
          (in_window.across * cosine + in_window.down * sine) * warp.scale};
}

double farthest_displacement(const TileWarp& warp) {
  return warp.elastic_px * kFarthestDraw * kOvershoot;
}

WindowMargin window_margin(const TileWarp& warp, std::int64_t tile_height,
                           std::int64_t tile_width) {
  const auto [cosine, sine] = turn_of(warp);
  const double bend = farthest_displacement(warp);
  const double down = static_cast<double>(tile_height) / 2 + bend;
  const double across = static_cast<double>(tile_width) / 2 + bend;
  const double window_down = (std::abs(cosine) * down + std::abs(sine) * across) / warp.scale;
  const double window_across = (std::abs(cosine) * across + std::abs(sine) * down) / warp.scale;
  const auto margin = [](double half_window, std::int64_t tile) {
    return static_cast<std::int64_t>(std::ceil(half_window - static_cast<double>(tile) / 2)) + 1;
  };
  return {margin(window_down, tile_height), margin(window_across, tile_width)};
}

DisplacementGrid draw_displacements(const TileWarp& warp, std::int64_t tile_height,
                                    std::int64_t tile_width, CounterRandom random) {
  DisplacementGrid grid{.rows = base::divide_up(tile_height, kGridSpacing) + 1,
                        .columns = base::divide_up(tile_width, kGridSpacing) + 1};
  for (std::int64_t point = 0; point < grid.rows * grid.columns; ++point) {
    grid.down.push_back(static_cast<float>(warp.elastic_px * draw_bell(random)));
    grid.across.push_back(static_cast<float>(warp.elastic_px * draw_bell(random)));
  }
  return grid;
}

}  // namespace headroom::data
