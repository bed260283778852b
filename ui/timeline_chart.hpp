#pragma once
// The live bytes of one step, stacked by stage, with the peak named. The UI thread.

#include <span>

#include "ui/chart_frame.hpp"
#include "ui/chart_units.hpp"
#include "ui/timeline_view.hpp"

namespace headroom::ui {

/// The budget belongs to the picture when it is within 1.6 times the peak.
[[nodiscard]] bool shows_budget(double peak_bytes, std::int64_t budget_bytes);

struct TimelineChart {
  const TimelineView& view;
  std::span<const ImVec4> colours{};  ///< of the owners
  ChartUnit unit{};
  std::int64_t budget_bytes = 0;  ///< 0: none
};

/// Strips and bands. Tells SharedView the stage under the mouse.
void draw_timeline_chart(const Frame& frame, const ChartPlace& place, const TimelineChart& chart);

}  // namespace headroom::ui
