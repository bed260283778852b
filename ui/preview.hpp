#pragma once
// The panel Preview: a validation image with truth, prediction and difference; pan, zoom and a
// divider. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct PreviewState {};

/// Draws into the current window.
void draw_preview(const Frame& frame, PreviewState& state);

}  // namespace headroom::ui
