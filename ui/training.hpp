#pragma once
// The panel Loss, Dice, step time by phase and peak memory over the steps, with the figures of now
// and the changes of plan. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct TrainingState {};

/// Draws into the current window.
void draw_training(const Frame& frame, TrainingState& state);

}  // namespace headroom::ui
