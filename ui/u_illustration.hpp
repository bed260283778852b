#pragma once
// A U with made-up sizes and policies, as a picture for the screen without a run. The UI thread.

#include <imgui.h>

#include "ui/frame.hpp"

namespace headroom::ui {

/// Fills the rectangle, in pixels, keeping its own proportions.
void draw_u_illustration(const Frame& frame, ImDrawList& list, const ImVec2& min,
                         const ImVec2& max);

}  // namespace headroom::ui
