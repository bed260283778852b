#pragma once
// The row of figures over the training charts: how it learns, how fast it is, and the learning rate
// and smoothing that can be changed there. The UI thread.

#include "ui/frame.hpp"
#include "ui/learning_rate_popup.hpp"

namespace headroom::ui {

/// At the cursor, over the panel's width; figures that do not fit are left out, from the right.
void draw_training_figures(const Frame& frame, LearningRateState& learning_rate);

/// Images that a step of the run sees per second; NaN where it is not known.
[[nodiscard]] double images_per_second(const run::RunSnapshot& run);

}  // namespace headroom::ui
