#pragma once
// How the panels are docked at first and after "reset layout". The UI thread.

#include <imgui.h>

#include <array>
#include <cstddef>
#include <string>

#include "ui/frame.hpp"
#include "ui/icons.hpp"

namespace headroom::ui {

/// A panel's window: its title, its ImGui ID, its icon.
struct Panel {
  const char* title;
  const char* id;  ///< "###…", so that the title is no part of it
  const char* icon;
};

enum class PanelId { model_plan, training, step_memory, what_fits, preview, log };
inline constexpr std::array<Panel, 6> kPanels = {{
    {"Model & plan", "###model_plan", icon::kSourceBranch},
    {"Training", "###training", icon::kChartLine},
    {"Step memory", "###step_memory", icon::kChartArea},
    {"What fits", "###what_fits", icon::kGrid},
    {"Preview", "###preview", icon::kImage},
    {"Log", "###log", icon::kList},
}};
[[nodiscard]] constexpr const Panel& panel(PanelId id) {
  return kPanels[static_cast<std::size_t>(id)];
}

/// Replaces whatever is docked in `dock_space`, of `size` pixels: three columns in windows from
/// 1600 design pixels on, else two.
void build_default_layout(const Frame& frame, ImGuiID dock_space, const ImVec2& size);

/// How `dock_space` is split, at which sizes, and where each panel is docked: equal texts, equal
/// layouts. A window that changes its size changes nothing; whoever moves a panel or a splitter
/// does.
[[nodiscard]] std::string layout_text(ImGuiID dock_space);

/// Whether a panel was never drawn, here or when the layout that was read was saved: that is one of
/// a program that did not have it.
[[nodiscard]] bool has_unplaced_panel();

}  // namespace headroom::ui
