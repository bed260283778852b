#pragma once
// Where memory ran out, in charts over steps. The UI thread.

#include "ui/chart_frame.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

enum class MarkRecord { none, named };

/// A red line at every step that was repeated because memory ran out; within the plot's clip
/// rectangle. Returns the one under the mouse, the last of its step, or null. `named`: the probe
/// gets them as "mark/out_of_memory/STEP".
const run::MemoryRelief* draw_memory_marks(const Frame& frame, const Chart& chart,
                                           MarkRecord record);

/// What was refused, and what was done.
void memory_mark_tooltip(const Frame& frame, const run::MemoryRelief& relief);

}  // namespace headroom::ui
