#pragma once
// The screen without a run: open a folder, try the sample, continue a run; and what the machine
// has. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// Draws into the current window, which is the whole screen below the top bar.
void draw_first_start(const Frame& frame);

}  // namespace headroom::ui
