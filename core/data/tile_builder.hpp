#pragma once
// From decoded pixels to what the network reads: crop, mirror, turn and normalise in one pass.
// Pure; any thread.

#include <cstdint>
#include <span>

#include "core/data/sample.hpp"
#include "core/data/tile_sampler.hpp"

namespace headroom::data {

/// Fills one tile: `pixels` is [h, w, c], `labels` [h, w] of the tile after turning. Outside the
/// image pixels are mirrored at its edge and labels are base::kIgnoreLabel. A value that is NaN,
/// infinite or the image's nodata becomes 0: an average pixel under zscore, the darkest under the
/// others. Throws Error
/// (unusable_data) when the image has another number of bands than `normalisation`.
void build_tile(const DecodedSample& decoded, const TileRequest& request,
                const Normalisation& normalisation, std::span<float> pixels,
                std::span<std::uint8_t> labels);

/// The whole image as the network reads it, into `pixels` [h, w, c].
void normalise_image(const base::Image& image, const Normalisation& normalisation,
                     std::span<float> pixels);

}  // namespace headroom::data
