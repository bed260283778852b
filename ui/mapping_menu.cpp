#include "ui/mapping_menu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ui/class_colour.hpp"
#include "ui/icons.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "data/mapping/menu";
constexpr float kWidth = 220, kEntryHeight = 26, kMostHeight = 320;

struct Entry {
  std::string name{};  ///< of the control
  std::string label{};
  ImVec4 colour{};  ///< of its swatch; all zero: none
  bool is_chosen = false;
};

/// True when it was chosen, which closes the menu.
bool draw_entry(const Frame& frame, const Entry& entry) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + std::max(frame.px(kWidth), ImGui::GetContentRegionAvail().x),
                   min.y + frame.px(kEntryHeight)};
  const Hit hit = hit_area(frame, entry.name.c_str(), min, max, entry.label);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hit.hovered) list.AddRectFilled(min, max, packed(frame.theme.bg3), frame.px(4));
  const float middle = (min.y + max.y) / 2;
  if (entry.colour.w > 0) {
    const float half = frame.px(5);
    const float x = min.x + frame.px(8);
    list.AddRectFilled({x, middle - half}, {x + 2 * half, middle + half}, packed(entry.colour),
                       frame.px(2));
  }
  const TextStyle style{.size = FontSize::kTable};
  const float left = min.x + frame.px(26);
  draw_text(frame, list, {left, middle - frame.px(style.size / 2)},
            elided(frame, entry.label, style, max.x - frame.px(26) - left), style);
  if (entry.is_chosen)
    draw_icon(frame, list, {max.x - frame.px(13), middle}, icon::kCheck, 15, frame.theme.accent);
  if (hit.pressed) ImGui::CloseCurrentPopup();
  return hit.pressed;
}

void draw_entries(const Frame& frame, DataState& state, const base::MaskKey& key) {
  const std::vector<std::string> names = state.mapping.mapping().class_names;
  const std::optional<std::uint8_t> label = state.mapping.label_of(key);
  for (std::size_t id = 0; id < names.size(); ++id) {
    const Entry entry{.name = fmt::format("data/mapping/class/{}", id),
                      .label = fmt::format("{}  {}", id, names[id]),
                      .colour = chart_colour(frame.theme, names, id),
                      .is_chosen = label == id};
    if (draw_entry(frame, entry)) state.mapping.set_label(key, static_cast<std::uint8_t>(id));
  }
  if (std::ssize(names) < base::kMaxClasses &&
      draw_entry(frame, {.name = "data/mapping/class/new", .label = "A new class"})) {
    state.mapping.set_new_class(key);
  }
  if (draw_entry(frame, {.name = "data/mapping/class/ignore",
                         .label = "Ignore: no loss and no score counts it",
                         .is_chosen = label == base::kIgnoreLabel})) {
    state.mapping.set_label(key, base::kIgnoreLabel);
  }
}

}  // namespace

void open_mapping_menu(DataState& state, const base::MaskKey& key, const ImVec2& at) {
  state.menu_key = key;
  state.menu_at = at;
  ImGui::OpenPopup(kPopup);
}

void draw_mapping_menu(const Frame& frame, DataState& state) {
  if (!ImGui::IsPopupOpen(kPopup)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(6), frame.px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  ImGui::SetNextWindowPos(state.menu_at, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, frame.px(kMostHeight)});
  if (ImGui::BeginPopup(kPopup)) {
    if (state.menu_key) draw_entries(frame, state, base::MaskKey(*state.menu_key));
    ImGui::EndPopup();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
