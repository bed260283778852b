#pragma once
// How many samples each side of the split has, and by which rule. Drawn into the current window;
// the UI thread.

#include "ui/data_folder.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

/// In a box of pixels at the cursor.
void draw_split(const Frame& frame, const DataFolder& data, const ImVec2& size);

/// Training, validation, neither: in bars and marks.
[[nodiscard]] ImVec4 side_colour(const Theme& theme, SplitSide side);

}  // namespace headroom::ui
