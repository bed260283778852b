#pragma once
// The panel Step memory: the live bytes of one step stacked by stage, with what ran when and the
// peak named. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct StepMemoryState {};

/// Draws into the current window.
void draw_step_memory(const Frame& frame, StepMemoryState& state);

}  // namespace headroom::ui
