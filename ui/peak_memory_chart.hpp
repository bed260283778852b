#pragma once
// The highest live bytes of every step against the budget, with the letters of the plans. The UI
// thread.

#include "ui/chart_frame.hpp"

namespace headroom::ui {

void draw_peak_memory_chart(const Frame& frame, const ChartPlace& place);

}  // namespace headroom::ui
