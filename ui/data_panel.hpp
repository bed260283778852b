#pragma once
// The panel Data: what was understood of the open folder, what its mask values become, what is
// wrong with it, how it is split, and its samples. The UI thread.

#include "ui/data_state.hpp"

namespace headroom::ui {

/// Draws into the current window.
void draw_data(const Frame& frame, DataState& state);

}  // namespace headroom::ui
