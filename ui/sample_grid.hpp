#pragma once
// The samples of a data folder as small pictures in rows: to be filtered, and one to be chosen for
// the preview. Drawn into the current window; the UI thread.

#include "ui/data_state.hpp"

namespace headroom::ui {

/// Design pixels: the title line, and one row of pictures with their names.
inline constexpr float kSamplesHead = 34, kSamplesRow = 118;

/// In a box of pixels at the cursor.
void draw_samples(const Frame& frame, DataState& state, const ImVec2& size);

}  // namespace headroom::ui
