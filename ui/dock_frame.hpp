#pragma once
// The look of docked panels that ImGui's own styles do not give: round corners, an icon in front of
// each title, a line under the chosen tab. The UI thread.

#include <imgui.h>

#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

/// Padding of panel headers; to be pushed around DockSpace() and around each docked Begin().
[[nodiscard]] ImVec2 header_padding(const Frame& frame);

/// Room in front of a title for its icon, as spaces.
[[nodiscard]] std::string panel_title(const Frame& frame, const char* title, const char* id);

/// After DockSpace(): icons, tab line, and the upper corners of every node in it.
void decorate_headers(const Frame& frame, ImGuiID dock_space);

/// Inside a docked window: its lower corners.
void mask_lower_corners(const Frame& frame);

}  // namespace headroom::ui
