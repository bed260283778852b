#pragma once
// The pictures of the generated data sets. Lengths scale with the picture's size. Pure; any thread.

#include "core/data/counter_random.hpp"
#include "core/formats/generate.hpp"

namespace headroom::formats {

/// A town from above: a bent grid of streets, houses with shadows, parks, trees and a river.
[[nodiscard]] GeneratedSample draw_aerial(std::int64_t size, data::CounterRandom& random);
/// A fundus photograph: a round field of view (outside it the labels are base::kIgnoreLabel), optic
/// disc, macula, two trees of vessels, lesions.
[[nodiscard]] GeneratedSample draw_retina(std::int64_t size, data::CounterRandom& random);
/// Stained nuclei under fluorescence light, many of them touching.
[[nodiscard]] GeneratedSample draw_cells(std::int64_t size, data::CounterRandom& random);

}  // namespace headroom::formats
