#pragma once
// The bar over all panels: brand, workspaces, the run's name, its state with progress and time
// left, the primary action, budget, device, theme. The UI thread.

#include "ui/frame.hpp"

namespace headroom::ui {

/// Design pixels.
[[nodiscard]] float top_bar_height(const Frame& frame);

/// Draws into the current window, which is as high as the bar.
void draw_top_bar(const Frame& frame);

}  // namespace headroom::ui
