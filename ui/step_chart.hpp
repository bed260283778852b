#pragma once
// What charts over the steps of a run share: their range, the marks of plan changes and the cursor
// that runs through all of them. The UI thread.

#include "ui/chart_frame.hpp"

namespace headroom::ui {

/// From 0 to the end of the run, so that the right edge is where it will end; a little beyond it
/// when the latest step comes so near that labels beside it would lie over the curves.
/// `label_share`: of the axis, what those labels need.
[[nodiscard]] ChartAxis step_axis(const run::RunSnapshot& run, double label_share = 0);
/// What the labels of `place`, and of its neighbours of the same width, need.
[[nodiscard]] double end_label_share(const Frame& frame, const ChartPlace& place);

enum class MarkLetters { hidden, shown };

/// Over the data of an open chart: dashed lines where the plan changed, the cursor, and the tooltip
/// of whichever the mouse is on.
void draw_step_overlay(const Frame& frame, const Chart& chart,
                       MarkLetters letters = MarkLetters::hidden);

}  // namespace headroom::ui
