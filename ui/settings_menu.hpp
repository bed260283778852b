#pragma once
// The small menu of the window's own settings: theme, motion, layout. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// To be called in every frame, in one window; `opens`: with this frame.
void draw_settings_menu(const Frame& frame, bool opens);

}  // namespace headroom::ui
