#include "ui/dock_layout.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>

namespace headroom::ui {
namespace {

/// Splits `share` off the node's side; `rest` is what remains.
ImGuiID split(ImGuiID node, ImGuiDir side, float share, ImGuiID& rest) {
  ImGuiID part = 0;
  ImGui::DockBuilderSplitNode(node, side, share, &part, &rest);
  return part;
}

void dock(PanelId id, ImGuiID node) { ImGui::DockBuilderDockWindow(panel(id).id, node); }

void build_wide(const Frame& frame, ImGuiID root, const ImVec2& size) {
  const float left = std::clamp(size.x * 0.31F, frame.px(540), frame.px(760));
  const float right = std::clamp(size.x * 0.23F, frame.px(400), frame.px(600));
  ImGuiID rest = 0;
  const ImGuiID model = split(root, ImGuiDir_Left, left / size.x, rest);
  const ImGuiID side = split(rest, ImGuiDir_Right, right / (size.x - left), rest);
  const ImGuiID memory = split(rest, ImGuiDir_Down, 0.4F, rest);
  ImGuiID below = 0;
  const ImGuiID fits = split(side, ImGuiDir_Up, 0.36F, below);
  ImGuiID preview = 0;
  const ImGuiID log = split(below, ImGuiDir_Down, 0.42F, preview);
  dock(PanelId::model_plan, model);
  dock(PanelId::training, rest);
  dock(PanelId::step_memory, memory);
  dock(PanelId::what_fits, fits);
  dock(PanelId::preview, preview);
  dock(PanelId::log, log);
}

void build_small(const Frame& frame, ImGuiID root, const ImVec2& size) {
  ImGuiID rest = 0;
  const ImGuiID model = split(root, ImGuiDir_Left, std::min(0.5F, frame.px(456) / size.x), rest);
  const ImGuiID below = split(rest, ImGuiDir_Down, 0.435F, rest);
  dock(PanelId::model_plan, model);
  dock(PanelId::training, rest);
  for (const PanelId id :
       {PanelId::step_memory, PanelId::what_fits, PanelId::preview, PanelId::log})
    dock(id, below);
}

void build_data(const Frame& frame, ImGuiID root, const ImVec2& size) {
  ImGuiID rest = 0;
  const float least = std::min(0.5F, frame.px(300) / size.x);
  const ImGuiID preview = split(root, ImGuiDir_Right, std::max(0.38F, least), rest);
  ImGuiID above = 0;
  const ImGuiID balance = split(preview, ImGuiDir_Down, frame.is_small() ? 0.34F : 0.25F, above);
  dock(PanelId::data, rest);
  dock(PanelId::sample, above);
  dock(PanelId::class_balance, balance);
}

/// The node that a panel is docked in, also before its window is first drawn; 0: none.
ImGuiID node_of(const Panel& panel) {
  const ImGuiID id = ImHashStr(panel.id);
  if (const ImGuiWindow* const window = ImGui::FindWindowByID(id)) return window->DockId;
  const ImGuiWindowSettings* const settings = ImGui::FindWindowSettingsByID(id);
  return settings == nullptr ? 0 : settings->DockId;
}

void add_text(const ImGuiDockNode& node, std::string& text) {
  if (node.ChildNodes[0] != nullptr) {
    text += node.SplitAxis == ImGuiAxis_X ? "x(" : "y(";
    for (const ImGuiDockNode* const child : node.ChildNodes) {
      text += fmt::format("{:.0f}x{:.0f}", child->SizeRef.x, child->SizeRef.y);
      add_text(*child, text);
    }
    text += ')';
    return;
  }
  for (const Panel& each : kPanels) {
    if (node_of(each) == node.ID) text += each.id;
  }
}

}  // namespace

bool has_unplaced_panel(Workspace workspace) {
  return std::ranges::any_of(kPanels, [workspace](const Panel& each) {
    const ImGuiID id = ImHashStr(each.id);
    return each.workspace == workspace && ImGui::FindWindowByID(id) == nullptr &&
           ImGui::FindWindowSettingsByID(id) == nullptr;
  });
}

std::string layout_text(ImGuiID dock_space) {
  std::string text;
  if (const ImGuiDockNode* const root = ImGui::DockBuilderGetNode(dock_space))
    add_text(*root, text);
  return text;
}

void build_default_layout(const Frame& frame, const DockPlace& place) {
  ImGui::DockBuilderRemoveNode(place.id);
  ImGui::DockBuilderAddNode(place.id, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(place.id, place.size);
  if (place.workspace == Workspace::data) {
    build_data(frame, place.id, place.size);
  } else if (frame.is_small()) {
    build_small(frame, place.id, place.size);
  } else {
    build_wide(frame, place.id, place.size);
  }
  ImGui::DockBuilderFinish(place.id);
}

}  // namespace headroom::ui
