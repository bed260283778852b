#include "ui/top_bar.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/run/time_left.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/run_actions.hpp"
#include "ui/settings_menu.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using run::RunState;

constexpr float kMark = 26;
constexpr float kButtonHeight = 32;
constexpr float kMostState = 420;   // of the state with its bar
constexpr float kLeastState = 230;  // below it other parts make room

constexpr TextStyle kBrand{.size = FontSize::kBrand, .weight = Weight::semibold};
constexpr TextStyle kTab{.size = FontSize::kButton, .weight = Weight::medium};
constexpr TextStyle kName{.size = FontSize::kButton, .weight = Weight::medium};
constexpr TextStyle kSmall{.size = FontSize::kLabel};
constexpr TextStyle kSmallMedium{.size = FontSize::kLabel, .weight = Weight::medium};

/// What is shown, from what stays longest to what goes first.
struct Parts {
  bool primary = true, stop = true, budget = true, name = true, device = true, memory = true;
  bool workspaces = true, brand_word = true, stop_word = true;
};

struct Texts {
  RunAction primary{};
  std::string name{}, budget{}, device{}, memory{};
  bool has_run = false, is_gpu = false;
  float budget_share = 0;
  bool is_over_budget = false;
};

Texts texts_of(const Frame& frame, std::string_view start_refusal) {
  Texts texts;
  const run::RunSnapshot& run = frame.run;
  texts.has_run = run.state != RunState::empty;
  texts.primary = primary_action(run, start_refusal);
  texts.name = elided(frame, run_title(run), kName, frame.px(200));
  const std::int64_t budget = run.facts != nullptr ? run.facts->budget_bytes : 0;
  if (budget > 0) {
    const std::int64_t peak = run.last_step.has_value() ? run.last_step->peak_total_bytes : 0;
    texts.budget_share =
        static_cast<float>(static_cast<double>(peak) / static_cast<double>(budget));
    texts.is_over_budget = peak > budget;
    texts.budget = (run.last_step.has_value() ? figure_bytes_text(peak) + " of " : std::string()) +
                   figure_bytes_text(budget);
  }
  const MachineFacts& machine = frame.shell.machine;
  const bool run_has_device = run.facts != nullptr && !run.facts->device.empty();
  texts.device = elided(frame, run_has_device ? run.facts->device : machine.device, kSmallMedium,
                        frame.px(210));
  texts.is_gpu = machine.is_gpu && !(run_has_device && run.facts->device.starts_with("CPU"));
  const std::int64_t free = texts.is_gpu ? machine.device_free_bytes : machine.memory_free_bytes;
  if (texts.is_gpu && machine.device_others_bytes > 0) {
    texts.memory = short_bytes_text(machine.device_others_bytes) + " used by others";
  } else if (free > 0) {
    texts.memory = short_bytes_text(free) + " free";
  }
  return texts;
}

// ---------------------------------------------------------------- widths in pixels

float button_width(const Frame& frame, std::string_view label) {
  const TextStyle style{.size = FontSize::kButton - 1, .weight = Weight::medium};
  return label.empty() ? frame.px(34) : text_size(frame, label, style).x + frame.px(24 + 22);
}

float left_width(const Frame& frame, const Texts& texts, const Parts& parts) {
  float width = frame.px(16 + kMark);
  if (parts.brand_word) width += frame.px(10) + text_size(frame, "Headroom", kBrand).x;
  if (parts.workspaces) {
    width += frame.px(28);
    for (const char* const name : kWorkspaceNames)
      width += text_size(frame, name, kTab).x + frame.px(26);
  }
  if (parts.name && !texts.name.empty())
    width += frame.px(36) + text_size(frame, texts.name, kName).x;
  return width;
}

float budget_width(const Frame& frame) { return frame.px(frame.is_small() ? 164 : 178); }

float device_width(const Frame& frame, const Texts& texts, const Parts& parts) {
  float width = text_size(frame, texts.device, kSmallMedium).x;
  if (parts.memory) width = std::max(width, text_size(frame, texts.memory, kSmall).x);
  return width + frame.px(28);
}

float right_width(const Frame& frame, const Texts& texts, const Parts& parts) {
  float width = frame.px(2 * 34 + 8 + 16);
  if (parts.device && !texts.device.empty())
    width += frame.px(33) + device_width(frame, texts, parts);
  if (parts.budget && !texts.budget.empty()) width += frame.px(33) + budget_width(frame);
  if (texts.has_run && parts.stop)
    width += frame.px(8) + button_width(frame, parts.stop_word ? "Stop and save" : "");
  if (texts.has_run && parts.primary)
    width += frame.px(20) + button_width(frame, texts.primary.label);
  return width;
}

/// Leaves parts out until there is room for the state.
Parts fitting_parts(const Frame& frame, const Texts& texts) {
  Parts parts;
  parts.stop_word = !frame.is_small();
  const float state = texts.has_run ? frame.px(kLeastState) : 0;
  const float whole = ImGui::GetWindowWidth();
  constexpr std::array kOrder = {&Parts::memory,     &Parts::device, &Parts::name,
                                 &Parts::stop_word,  &Parts::budget, &Parts::brand_word,
                                 &Parts::workspaces, &Parts::primary};
  for (bool Parts::*const part : kOrder) {
    if (left_width(frame, texts, parts) + right_width(frame, texts, parts) + state + frame.px(24) <=
        whole) {
      break;
    }
    // The primary action stays as long as it fits without the state.
    if (part == &Parts::primary &&
        left_width(frame, texts, parts) + right_width(frame, texts, parts) <= whole) {
      break;
    }
    parts.*part = false;
  }
  return parts;
}

// ---------------------------------------------------------------- drawing

struct Bar {
  const Frame& frame;
  ImDrawList& list;
  float left = 0, right = 0;  ///< of the room that is left
  float top = 0, middle = 0;

  void separator(float x) const {
    const float half = frame.px(12);
    list.AddLine({x, middle - half}, {x, middle + half}, packed(frame.theme.line2));
  }
};

void draw_mark(Bar& bar) {
  const Frame& frame = bar.frame;
  const float side = frame.px(kMark);
  const ImVec2 min{bar.left + frame.px(16), bar.middle - side / 2};
  bar.list.AddRectFilled(min, {min.x + side, min.y + side}, packed(frame.theme.fill), frame.px(6));
  // Three bars of a memory chart under a budget.
  constexpr std::array<std::pair<float, float>, 3> kBars = {{{6, 7}, {11.5F, 12}, {17, 6}}};
  for (const auto& [x, y] : kBars) {
    bar.list.AddRectFilled({min.x + frame.px(x), min.y + frame.px(y)},
                           {min.x + frame.px(x + 3), min.y + frame.px(20)},
                           packed(frame.theme.on_fill), frame.px(1));
  }
  bar.left = min.x + side;
}

void draw_workspaces(Bar& bar) {
  const Frame& frame = bar.frame;
  bar.separator(bar.left + frame.px(18));
  float x = bar.left + frame.px(28);
  const char* const refusal = frame.run.state == RunState::empty ? "Open a data folder first." : "";
  for (std::size_t i = 0; i < kWorkspaces; ++i) {
    const auto workspace = static_cast<Workspace>(i);
    const bool is_chosen = workspace == frame.shared.workspace && *refusal == '\0';
    const ImVec2 min{x, bar.middle - frame.px(15)};
    const ImVec2 max{x + text_size(frame, kWorkspaceNames[i], kTab).x + frame.px(24),
                     bar.middle + frame.px(15)};
    const std::string name = std::string("top/workspace/") + kWorkspaceNames[i];
    const Hit hit = hit_area(frame, name.c_str(), min, max, kWorkspaceNames[i], refusal);
    tooltip(frame, *refusal != '\0' ? refusal : (i == 0 ? "Ctrl 1" : "Ctrl 2"));
    if (hit.pressed) frame.shared.workspace = workspace;
    if (is_chosen) bar.list.AddRectFilled(min, max, packed(frame.theme.bg3), frame.px(6));
    TextStyle style = kTab;
    style.colour =
        is_chosen || (hit.hovered && *refusal == '\0') ? frame.theme.text1 : frame.theme.text2;
    if (*refusal != '\0') style.colour = with_alpha(frame.theme.text3, 0.8F);
    draw_text(frame, bar.list, {(min.x + max.x) / 2, bar.middle - frame.px(style.size) / 2},
              kWorkspaceNames[i], style, Align::centre);
    x = max.x + frame.px(2);
  }
  bar.left = x;
}

/// A text that stands `offset` pixels after what is there already.
void record_text(const Bar& bar, const char* name, float offset, std::string_view words,
                 const TextStyle& style) {
  const float half = bar.frame.px(style.size) / 2;
  const float left = bar.left + offset;
  bar.frame.record(name, {left, bar.middle - half},
                   {left + text_size(bar.frame, words, style).x, bar.middle + half}, true, words);
}

void draw_left(Bar& bar, const Texts& texts, const Parts& parts) {
  const Frame& frame = bar.frame;
  draw_mark(bar);
  if (parts.brand_word) {
    draw_text(frame, bar.list, {bar.left + frame.px(10), bar.middle - frame.px(kBrand.size) / 2},
              "Headroom", kBrand);
    record_text(bar, "top/brand", frame.px(10), "Headroom", kBrand);
    bar.left += frame.px(10) + text_size(frame, "Headroom", kBrand).x;
  }
  if (parts.workspaces) draw_workspaces(bar);
  if (parts.name && !texts.name.empty()) {
    bar.separator(bar.left + frame.px(14));
    draw_text(frame, bar.list, {bar.left + frame.px(32), bar.middle - frame.px(kName.size) / 2},
              texts.name, kName);
    record_text(bar, "top/name", frame.px(32), texts.name, kName);
    bar.left += frame.px(36) + text_size(frame, texts.name, kName).x;
  }
}

void draw_theme_and_settings(Bar& bar) {
  const Frame& frame = bar.frame;
  const bool is_dark = frame.preferences.theme == ThemeKind::dark;
  const float y = bar.middle - frame.px(17);
  bar.right -= frame.px(12 + 34);
  ImGui::SetCursorScreenPos({bar.right, y});
  if (button(frame, "top/theme", "",
             {.kind = ButtonKind::flat,
              .icon = is_dark ? icon::kBrightness : icon::kNight,
              .width = 34,
              .height = 34,
              .tooltip = is_dark ? "Light theme" : "Dark theme"})) {
    frame.preferences.theme = is_dark ? ThemeKind::light : ThemeKind::dark;
  }
  bar.right -= frame.px(34);
  ImGui::SetCursorScreenPos({bar.right, y});
  const bool opens = button(frame, "top/settings", "",
                            {.kind = ButtonKind::flat,
                             .icon = icon::kSettings,
                             .width = 34,
                             .height = 34,
                             .tooltip = "Settings of the window"});
  draw_settings_menu(frame, opens);
}

void draw_device(Bar& bar, const Texts& texts, const Parts& parts) {
  const Frame& frame = bar.frame;
  bar.right -= frame.px(16) + device_width(frame, texts, parts);
  const bool has_memory = parts.memory && !texts.memory.empty();
  draw_icon(frame, bar.list, {bar.right + frame.px(10), bar.middle},
            texts.is_gpu ? icon::kChip : icon::kMemory, 20, frame.theme.text2);
  const float x = bar.right + frame.px(28);
  const float y = bar.middle - frame.px(has_memory ? 15 : FontSize::kLabel / 2);
  draw_text(frame, bar.list, {x, y}, texts.device, kSmallMedium);
  if (has_memory) {
    draw_text(frame, bar.list, {x, y + frame.px(16)}, texts.memory,
              {.size = FontSize::kLabel, .colour = frame.theme.text3});
  }
  frame.record("top/device", {bar.right, bar.middle - frame.px(15)},
               {bar.right + device_width(frame, texts, parts), bar.middle + frame.px(15)}, true,
               texts.device + (has_memory ? ", " + texts.memory : ""));
  bar.right -= frame.px(17);
  bar.separator(bar.right);
}

void draw_budget(Bar& bar, const Texts& texts) {
  const Frame& frame = bar.frame;
  const float width = budget_width(frame);
  bar.right -= frame.px(16) + width;
  const float y = bar.middle - frame.px(15);
  draw_text(frame, bar.list, {bar.right, y}, "Budget",
            {.size = FontSize::kLabel, .colour = frame.theme.text3});
  draw_text(frame, bar.list, {bar.right + width, y}, texts.budget, kSmallMedium, Align::right);
  draw_bar(frame, bar.list, {bar.right, bar.middle + frame.px(6)},
           {bar.right + width, bar.middle + frame.px(10)}, texts.budget_share,
           texts.is_over_budget ? frame.theme.bad : frame.theme.accent);
  frame.record("top/budget", {bar.right, y}, {bar.right + width, bar.middle + frame.px(10)}, true,
               texts.budget);
  bar.right -= frame.px(17);
  bar.separator(bar.right);
}

void perform(const Frame& frame, const RunAction& action) {
  if (const auto* const command = std::get_if<run::Command>(&action.asks)) frame.command(*command);
  if (const auto* const request = std::get_if<Request>(&action.asks)) frame.request(*request);
}

void draw_actions(Bar& bar, const Texts& texts, const Parts& parts) {
  const Frame& frame = bar.frame;
  const float y = bar.middle - frame.px(kButtonHeight) / 2;
  if (parts.stop) {
    const char* const label = parts.stop_word ? "Stop and save" : "";
    bar.right -= frame.px(8) + button_width(frame, label);
    ImGui::SetCursorScreenPos({bar.right, y});
    const char* const refusal = run::refusal(frame.run.state, run::Action::stop);
    if (button(frame, "top/stop", label,
               {.icon = icon::kStop,
                .width = button_width(frame, label) / frame.scale,
                .height = kButtonHeight,
                .refusal = refusal == nullptr ? "" : refusal,
                .tooltip = "Save the state and end the run; it can be continued"})) {
      frame.command(run::StopAndSave{});
    }
  }
  if (!parts.primary) return;
  bar.right -= frame.px(8) + button_width(frame, texts.primary.label);
  ImGui::SetCursorScreenPos({bar.right, y});
  if (button(frame, "top/primary", texts.primary.label,
             {.kind = ButtonKind::primary,
              .icon = texts.primary.icon,
              .width = button_width(frame, texts.primary.label) / frame.scale,
              .height = kButtonHeight,
              .refusal = texts.primary.refusal})) {
    perform(frame, texts.primary);
  }
  bar.right -= frame.px(12);
}

ImVec4 state_colour(const Frame& frame) {
  switch (frame.run.state) {
    case RunState::training:
    case RunState::finished:
      return frame.theme.ok;
    case RunState::paused:
    case RunState::stopping:
      return frame.theme.warn;
    case RunState::failed:
      return frame.theme.bad;
    case RunState::preparing:
    case RunState::validating:
      return frame.theme.accent;
    case RunState::empty:
    case RunState::ready:
      break;
  }
  return frame.theme.text3;
}

std::string progress_text(const run::RunSnapshot& run) {
  if (run.facts == nullptr || run.facts->steps <= 0) return {};
  return "step " + count_text(run.steps_done) + " of " + count_text(run.facts->steps);
}

/// Dot, word, step, bar and time left, as far as each has room.
void draw_state(Bar& bar) {
  const Frame& frame = bar.frame;
  const float width = std::min(frame.px(kMostState), bar.right - bar.left - frame.px(24));
  if (width < frame.px(50)) return;
  const float x = bar.right - width;
  const ImVec4 colour = state_colour(frame);
  const float y = bar.middle - frame.px(15);
  const ImVec2 dot{x + frame.px(6), y + frame.px(7)};
  bar.list.AddCircleFilled(dot, frame.px(7), packed(with_alpha(colour, 0.25F)));
  bar.list.AddCircleFilled(dot, frame.px(4), packed(colour));
  const TextStyle word{.size = FontSize::kTable, .weight = Weight::semibold};
  const char* const title = state_title(frame.run);
  float left = x + frame.px(20);
  draw_text(frame, bar.list, {left, y}, title, word);
  left += text_size(frame, title, word).x + frame.px(12);
  const TextStyle step{.size = FontSize::kTable, .colour = frame.theme.text2};
  const std::string progress = progress_text(frame.run);
  const float progress_width = text_size(frame, progress, step).x;
  const bool has_progress = left + progress_width <= bar.right;
  if (has_progress) draw_text(frame, bar.list, {left, y}, progress, step);
  left += has_progress ? progress_width + frame.px(12) : 0;
  if (const std::optional<double> seconds = run::seconds_left(frame.run)) {
    const std::string time = time_left_text(*seconds, frame.is_small());
    if (left + text_size(frame, time, step).x <= bar.right)
      draw_text(frame, bar.list, {bar.right, y}, time, step, Align::right);
  }
  const auto steps = static_cast<double>(frame.run.facts != nullptr ? frame.run.facts->steps : 0);
  const double share = steps > 0 ? static_cast<double>(frame.run.steps_done) / steps : 0;
  draw_bar(frame, bar.list, {x, bar.middle + frame.px(6)}, {bar.right, bar.middle + frame.px(10)},
           static_cast<float>(share), colour);
  frame.record("top/state", {x, y}, {bar.right, bar.middle + frame.px(10)}, true,
               std::string(title) + (progress.empty() ? "" : ", " + progress));
}

/// Pauses and resumes, unless a control or a text wants the key.
void follow_space_bar(const Frame& frame, const RunAction& primary) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const bool is_wanted =
      imgui.IO.WantTextInput || imgui.ActiveId != 0 ||
      (imgui.NavCursorVisible && imgui.NavId != 0) ||
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (is_wanted || !ImGui::IsKeyPressed(ImGuiKey_Space, 0, ImGuiKeyOwner_NoOwner)) return;
  const auto* const command = std::get_if<run::Command>(&primary.asks);
  if (command == nullptr) return;
  if (std::holds_alternative<run::Pause>(*command)) frame.command(run::Pause{});
  if (std::holds_alternative<run::Resume>(*command)) frame.command(run::Resume{});
}

}  // namespace

float top_bar_height(const Frame& frame) { return frame.is_small() ? 48 : 56; }

void draw_top_bar(const Frame& frame, std::string_view start_refusal) {
  const ImVec2 at = ImGui::GetWindowPos();
  const float height = frame.px(top_bar_height(frame));
  const float width = ImGui::GetWindowWidth();
  Bar bar{.frame = frame,
          .list = *ImGui::GetWindowDrawList(),
          .left = at.x,
          .right = at.x + width,
          .top = at.y,
          .middle = at.y + height / 2};
  bar.list.AddLine({at.x, at.y + height - 1}, {at.x + width, at.y + height - 1},
                   packed(frame.theme.line));
  const Texts texts = texts_of(frame, start_refusal);
  const Parts parts = fitting_parts(frame, texts);
  draw_left(bar, texts, parts);
  draw_theme_and_settings(bar);
  if (parts.device && !texts.device.empty()) draw_device(bar, texts, parts);
  if (parts.budget && !texts.budget.empty()) draw_budget(bar, texts);
  if (texts.has_run) {
    draw_actions(bar, texts, parts);
    draw_state(bar);
  }
  follow_space_bar(frame, texts.primary);
}

}  // namespace headroom::ui
