#pragma once
// The loss of training, raw and smoothed, and of validation, on a logarithmic or linear axis. The
// UI thread.

#include "ui/chart_frame.hpp"

namespace headroom::ui {

void draw_loss_chart(const Frame& frame, const ChartPlace& place);

/// The training loss as the smoothed curve ends; NaN before the first step.
[[nodiscard]] double smoothed_loss(const Frame& frame);

}  // namespace headroom::ui
