#pragma once
// How the panels are docked at first and after "reset layout". The UI thread.

#include <imgui.h>

#include <array>
#include <cstddef>
#include <string>

#include "ui/frame.hpp"
#include "ui/icons.hpp"
#include "ui/workspace.hpp"

namespace headroom::ui {

/// A panel's window: its title, its ImGui ID, its icon, and where it belongs.
struct Panel {
  const char* title;
  const char* id;  ///< "###…", so that the title is no part of it
  const char* icon;
  Workspace workspace;
};

enum class PanelId {
  model_plan,
  training,
  step_memory,
  what_fits,
  preview,
  log,
  data,
  sample,
  class_balance
};
inline constexpr std::array<Panel, 9> kPanels = {{
    {"Model & plan", "###model_plan", icon::kSourceBranch, Workspace::train},
    {"Training", "###training", icon::kChartLine, Workspace::train},
    {"Step memory", "###step_memory", icon::kChartArea, Workspace::train},
    {"What fits", "###what_fits", icon::kGrid, Workspace::train},
    {"Preview", "###preview", icon::kImage, Workspace::train},
    {"Log", "###log", icon::kList, Workspace::train},
    {"Data", "###data", icon::kDatabase, Workspace::data},
    {"Preview", "###sample", icon::kImage, Workspace::data},
    {"Class balance", "###class_balance", icon::kChartBar, Workspace::data},
}};
[[nodiscard]] constexpr const Panel& panel(PanelId id) {
  return kPanels[static_cast<std::size_t>(id)];
}

/// Where the panels of a workspace are docked, in pixels.
struct DockPlace {
  Workspace workspace = Workspace::train;
  ImGuiID id = 0;
  ImVec2 size{};
};

/// Replaces whatever is docked there. Train: three columns in windows from 1600 design pixels on,
/// else two; Data: two columns.
void build_default_layout(const Frame& frame, const DockPlace& place);

/// How `dock_space` is split, at which sizes, and where each panel is docked: equal texts, equal
/// layouts. A window that changes its size changes nothing; whoever moves a panel or a splitter
/// does.
[[nodiscard]] std::string layout_text(ImGuiID dock_space);

/// Whether a panel of the workspace was never drawn, here or when the layout that was read was
/// saved: that is one of a program that did not have it.
[[nodiscard]] bool has_unplaced_panel(Workspace workspace);

}  // namespace headroom::ui
