#include "ui/settings_menu.hpp"

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "ui/icons.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "settings_menu";
constexpr float kWidth = 272;

void draw_row_label(const Frame& frame, std::string_view label) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(frame, *ImGui::GetWindowDrawList(),
            {at.x, at.y + frame.px((24 - FontSize::kTable) / 2)}, label,
            {.size = FontSize::kTable, .colour = frame.theme.text2});
}

/// A choice at the right end of a row.
bool draw_choice(const Frame& frame, std::string_view label, const char* name,
                 std::span<const std::string_view> choices, int& chosen) {
  draw_row_label(frame, label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float width = frame.px(4 + 20 * static_cast<float>(choices.size()));
  for (const std::string_view choice : choices)
    width += text_size(frame, choice, {.size = FontSize::kLabel, .weight = Weight::medium}).x;
  ImGui::SetCursorScreenPos({at.x + frame.px(kWidth) - width, at.y});
  return segmented(frame, name, choices, chosen);
}

void draw_save(const Frame& frame) {
  const char* const refusal = run::refusal(frame.run.state, run::Action::save);
  if (button(frame, "top/settings/save", "Save the run now",
             {.icon = icon::kSave,
              .width = kWidth,
              .refusal = refusal == nullptr ? "" : refusal,
              .tooltip = "Saves the state between two steps; the run goes on"})) {
    frame.command(run::SaveNow{});
    ImGui::CloseCurrentPopup();
  }
}

/// What draws the window, as it may take the processor from the training.
void draw_renderer(const Frame& frame) {
  const MachineFacts& machine = frame.shell.machine;
  if (machine.renderer.empty()) return;
  const TextStyle quiet{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text(frame, elided(frame, "Drawn by " + machine.renderer, quiet, frame.px(kWidth)), quiet);
  frame.record("top/settings/renderer", at, ImGui::GetItemRectMax(), true,
               machine.renderer + (machine.renders_in_software ? ", in software" : ""));
  if (!machine.renders_in_software) return;
  const TextStyle hint{.size = FontSize::kLabel, .colour = frame.theme.warn};
  text(frame, "In software: drawing takes time from", hint);
  text(frame, "a training on the same processor.", hint);
}

/// Beside what the monitor asks for.
void draw_size(const Frame& frame) {
  constexpr std::array<std::string_view, 4> kNames = {"80 %", "100 %", "125 %", "150 %"};
  constexpr std::array<float, 4> kSizes = {0.8F, 1, 1.25F, 1.5F};
  int chosen = -1;  // a size that somebody wrote into the file
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    if (std::abs(frame.preferences.size - kSizes[i]) < 0.01F) chosen = static_cast<int>(i);
  }
  if (draw_choice(frame, "Size", "top/settings/size", kNames, chosen))
    frame.preferences.size = kSizes[static_cast<std::size_t>(chosen)];
}

void draw_rows(const Frame& frame) {
  constexpr std::array<std::string_view, 2> kThemes = {"Dark", "Light"};
  constexpr std::array<std::string_view, 2> kMotions = {"Full", "Reduced"};
  int theme = frame.preferences.theme == ThemeKind::dark ? 0 : 1;
  if (draw_choice(frame, "Theme", "top/settings/theme", kThemes, theme))
    frame.preferences.theme = theme == 0 ? ThemeKind::dark : ThemeKind::light;
  int motion = frame.preferences.reduce_motion ? 1 : 0;
  if (draw_choice(frame, "Motion", "top/settings/motion", kMotions, motion))
    frame.preferences.reduce_motion = motion == 1;
  draw_size(frame);
  if (button(
          frame, "top/settings/reset", "Reset layout",
          {.icon = icon::kRefresh, .width = kWidth, .tooltip = "Docks the panels as at first"})) {
    frame.shared.layout_reset_is_due = true;
    ImGui::CloseCurrentPopup();
  }
  draw_save(frame);
  draw_renderer(frame);
}

}  // namespace

void draw_settings_menu(const Frame& frame, bool opens) {
  // Below the button that opens it, ending where it ends.
  const ImVec2 below{ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + frame.px(6)};
  if (opens) ImGui::OpenPopup(kPopup);
  ImGui::SetNextWindowPos(below, ImGuiCond_Always, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(14), frame.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(10)});
  if (ImGui::BeginPopup(kPopup)) {
    draw_rows(frame);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
