#pragma once
// Normalised tiles as pictures for people. Pure; any thread.

#include <cstdint>
#include <span>

#include "core/base/image.hpp"
#include "core/data/sample.hpp"
#include "core/data/training_tiles.hpp"

namespace headroom::data {

/// A training tile to be looked at.
struct TilePicture {
  base::Image image{};  ///< u8, 3 channels
  base::LabelImage labels{};
};

/// `pixels` [h, w, c] as u8 RGB: the first three bands, or the first one as grey. One range of
/// values for all tiles, so that changes of contrast and brightness can be seen: 2.5 standard
/// deviations about the mean under zscore, [0, 1] under the other modes; under none the tile's own
/// lowest and highest value, but 0 to 255 for values that lie there.
[[nodiscard]] base::Image rgb_of_tile(std::span<const float> pixels, std::int64_t height,
                                      std::int64_t width, const Normalisation& normalisation);

/// Tile k as training gets it.
[[nodiscard]] TilePicture picture_of_tile(const TrainingTiles& tiles, std::int64_t k);

}  // namespace headroom::data
