#pragma once
// The panel Training: loss, Dice, step time by phase and peak memory over the steps, with the
// figures of now and the changes of plan. The UI thread.

#include "ui/frame.hpp"
#include "ui/learning_rate_popup.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct TrainingState {
  LearningRateState learning_rate{};
};

/// Draws into the current window.
void draw_training(const Frame& frame, TrainingState& state);

}  // namespace headroom::ui
