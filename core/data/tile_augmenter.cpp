#include "core/data/tile_augmenter.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace headroom::data {
namespace {

void check(const TileSpan& tile) {
  const std::int64_t pixels = tile.height * tile.width;
  if (pixels > 0 && std::ssize(tile.labels) == pixels &&
      std::ssize(tile.pixels) == pixels * tile.channels)
    return;
  throw base::Error(base::ErrorKind::internal,
                    {"changing a tile",
                     fmt::format("{}x{}x{} pixels, room for {} values and {} labels", tile.height,
                                 tile.width, tile.channels, tile.pixels.size(), tile.labels.size()),
                     "report this"});
}

}  // namespace

void TileAugmenter::warp(const TileSpan& window, const TileWarp& warp, CounterRandom random,
                         const TileSpan& tile) const {
  check(window);
  check(tile);
  do_warp(window, warp, random, tile);
}

void TileAugmenter::change_values(const TileSpan& tile, const Augmentation& augmentation,
                                  CounterRandom random) const {
  check(tile);
  do_change_values(tile, augmentation, random);
}

}  // namespace headroom::data
