#pragma once
// Training tiles as one picture, to judge the augmentation by. Any one thread.

#include "app/overlay.hpp"
#include "core/base/image.hpp"
#include "core/data/training_tiles.hpp"

namespace headroom::app {

/// The first 16 tiles of a training in four rows of four, each beside itself with its classes drawn
/// over; u8, 3 channels. `colours` has one for each class. Throws what the reader throws.
[[nodiscard]] base::Image draw_augmented_sheet(const data::TrainingTiles& tiles,
                                               const Colours& colours);

}  // namespace headroom::app
