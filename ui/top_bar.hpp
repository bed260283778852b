#pragma once
// The bar over all panels: brand, workspaces, the run's name, its state with progress and time
// left, the primary action, budget, device, theme. The UI thread.

#include <string_view>

#include "ui/frame.hpp"

namespace headroom::ui {

/// Design pixels.
[[nodiscard]] float top_bar_height(const Frame& frame);

/// Draws into the current window, which is as high as the bar. `start_refusal` not empty: the run
/// that is configured cannot be started, and this is why.
void draw_top_bar(const Frame& frame, std::string_view start_refusal);

}  // namespace headroom::ui
