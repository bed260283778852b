#include "ui/dock_frame.hpp"

#include <imgui_internal.h>

#include <cmath>
#include <numbers>
#include <string>

#include "ui/dock_layout.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kCorner = 8;
constexpr float kIconRoom = 22;

/// Fills what lies outside a quarter circle in the corner at `corner`; `inward` points to its
/// centre.
void mask_corner(const Frame& frame, ImDrawList& list, const ImVec2& corner, const ImVec2& inward) {
  const float radius = frame.px(kCorner);
  const ImVec2 centre{corner.x + inward.x * radius, corner.y + inward.y * radius};
  constexpr int kPieces = 8;
  const auto on_circle = [&](int piece) {
    const float angle = static_cast<float>(piece) / kPieces * std::numbers::pi_v<float> / 2;
    return ImVec2{centre.x - inward.x * radius * std::cos(angle),
                  centre.y - inward.y * radius * std::sin(angle)};
  };
  for (int piece = 0; piece < kPieces; ++piece) {
    list.AddTriangleFilled(corner, on_circle(piece), on_circle(piece + 1), packed(frame.theme.bg0));
  }
}

const char* icon_of(const ImGuiWindow* window) {
  for (const Panel& panel : kPanels) {
    if (window->ID == ImHashStr(panel.id)) return panel.icon;
  }
  return nullptr;
}

void decorate_tab(const Frame& frame, const ImGuiTabBar& bar, const ImGuiTabItem& tab,
                  bool has_others, ImDrawList& list) {
  if (tab.Window == nullptr) return;
  const bool is_chosen = bar.VisibleTabId == tab.ID;
  const float left = bar.BarRect.Min.x + tab.Offset - bar.ScrollingAnim;
  const ImVec2 min{left, bar.BarRect.Min.y};
  const ImVec2 max{left + tab.Width, bar.BarRect.Max.y};
  const ImVec4& colour = is_chosen ? frame.theme.text1 : frame.theme.text2;
  if (!is_chosen) list.AddRectFilled(min, max, packed(with_alpha(frame.theme.bg1, 0.45F)));
  draw_icon(frame, list, {left + frame.px(6 + 9), (min.y + max.y) / 2}, icon_of(tab.Window), 18,
            colour);
  if (is_chosen && has_others) {
    list.AddRectFilled({min.x + frame.px(4), max.y - frame.px(2)}, {max.x - frame.px(4), max.y},
                       packed(frame.theme.accent));
  }
}

void decorate_node(const Frame& frame, const ImGuiDockNode& node) {
  if (node.ChildNodes[0] != nullptr) {
    decorate_node(frame, *node.ChildNodes[0]);
    decorate_node(frame, *node.ChildNodes[1]);
    return;
  }
  if (node.HostWindow == nullptr || node.TabBar == nullptr || !node.IsVisible) return;
  ImDrawList& list = *node.HostWindow->DrawList;
  list.PushClipRectFullScreen();
  for (const ImGuiTabItem& tab : node.TabBar->Tabs) {
    decorate_tab(frame, *node.TabBar, tab, node.TabBar->Tabs.Size > 1, list);
  }
  const float bottom = node.TabBar->BarRect.Max.y - 1;
  list.AddLine({node.Pos.x, bottom}, {node.Pos.x + node.Size.x, bottom}, packed(frame.theme.line));
  mask_corner(frame, list, node.Pos, {1, 1});
  mask_corner(frame, list, {node.Pos.x + node.Size.x, node.Pos.y}, {-1, 1});
  list.PopClipRect();
}

}  // namespace

ImVec2 header_padding(const Frame& frame) {
  return {frame.px(6), frame.px(frame.is_small() ? 7 : 10)};
}

std::string panel_title(const Frame& frame, const char* title, const char* id) {
  const float space =
      text_size(frame, " ", {.size = FontSize::kButton, .weight = Weight::semibold}).x;
  const auto spaces = static_cast<std::size_t>(std::lround(frame.px(kIconRoom) / space));
  return std::string(spaces, ' ') + title + id;
}

void decorate_headers(const Frame& frame, ImGuiID dock_space) {
  if (const ImGuiDockNode* const root = ImGui::DockBuilderGetNode(dock_space)) {
    decorate_node(frame, *root);
  }
}

void mask_lower_corners(const Frame& frame) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if (!window.DockIsActive) return;
  ImDrawList& list = *window.DrawList;
  list.PushClipRectFullScreen();
  const ImVec2 end{window.Pos.x + window.Size.x, window.Pos.y + window.Size.y};
  mask_corner(frame, list, {window.Pos.x, end.y}, {1, -1});
  mask_corner(frame, list, end, {-1, -1});
  list.PopClipRect();
}

}  // namespace headroom::ui
