#pragma once
// What stands where predictions will be while there are none: that they need a calibration, its
// progress, why it failed. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// In the middle of what is left of the current window, or of `height` design pixels where that is
/// above 0. `name` is the panel's: its controls are "NAME/calibrate" and "NAME/cancel".
void draw_calibration_state(const Frame& frame, const char* name, float height = 0);

}  // namespace headroom::ui
