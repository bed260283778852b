#pragma once
// The two strips above the chart of a step's memory: which phase, and which stage, ran when. The UI
// thread.

#include <span>

#include "ui/chart_frame.hpp"
#include "ui/timeline_view.hpp"

namespace headroom::ui {

/// Design pixels of both strips with the gaps around them.
inline constexpr float kStripsHeight = 15 + 3 + 14 + 5;

/// Over the x axis of an open chart, from `top` (pixels) down. `colours`: of the owners. Returns
/// the owner whose block the mouse is on, or -1.
int draw_strips(const Frame& frame, const Chart& chart, float top, const TimelineView& view,
                std::span<const ImVec4> colours);

}  // namespace headroom::ui
