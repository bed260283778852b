#include "ui/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/base/settings_schema.hpp"
#include "ui/data_text.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"
#include "ui/window_words.hpp"

namespace headroom::ui {
namespace {

constexpr float kFieldWidth = 132;
constexpr float kCellWidth = 176;
constexpr float kCellHeight = 66, kSmallCellHeight = 58;

/// What most people change; the rest is one click away.
constexpr std::array<std::string_view, 12> kMain = {
    "tile",           "batch", "steps",  "lr",        "levels", "base_channels",
    "validate_every", "plan",  "budget", "precision", "split",  "mapping"};

bool is_main(const base::SettingRow& row) {
  return std::find(kMain.begin(), kMain.end(), row.key) != kMain.end();
}

std::string tooltip_of(const base::SettingRow& row) {
  const std::string range = base::range_text(row);
  return fmt::format("{}{}{}\nDefault: {}", row.help, range.empty() ? "" : "\n", range,
                     base::default_text(row));
}

/// Puts what was typed for `key` into the settings; false and a problem where it does not go.
bool take_typed(base::Settings& settings, RunSettingsState& state, const std::string& key) {
  const base::SettingRow* const row = base::find_setting(key);
  const auto typed = state.typed.find(key);
  if (row == nullptr || typed == state.typed.end()) {
    state.problems.erase(key);
    return false;
  }
  base::Settings tried = settings;
  try {
    base::apply_text(tried, *row, typed->second);
    base::check_settings(tried);
  } catch (const base::Error& error) {
    // The field keeps what was typed, and says why it is not taken.
    state.problems[key] = error.parts().subject;
    return false;
  }
  settings = std::move(tried);
  state.problems.erase(key);
  state.typed.erase(key);
  return true;
}

/// Takes the text, and then what was refused before: it may go together with this.
void take(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
          const std::string& text) {
  const std::string key(row.key);
  state.typed[key] = text;
  run::RunRequest request = frame.shared.request_edit.latest(frame.run);
  bool has_taken = take_typed(request.settings, state, key);
  std::vector<std::string> refused;
  for (const auto& [other, problem] : state.problems) refused.push_back(other);
  for (const std::string& other : refused) {
    if (take_typed(request.settings, state, other)) has_taken = true;
  }
  if (has_taken) frame.command(frame.shared.request_edit.ask(std::move(request)));
}

/// What the run will be by what was asked for so far.
const base::Settings& settings_of(const Frame& frame) {
  return frame.shared.request_edit.latest(frame.run).settings;
}

/// What is typed, else what the request has.
std::string text_shown(const Frame& frame, const RunSettingsState& state,
                       const base::SettingRow& row) {
  const auto typed = state.typed.find(std::string(row.key));
  return typed == state.typed.end() ? base::text_of(settings_of(frame), row) : typed->second;
}

void draw_choice(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                 const std::string& name) {
  const std::string current = text_shown(frame, state, row);
  ImGui::SetNextItemWidth(frame.px(kFieldWidth));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.px(8), frame.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, frame.px(1));
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme.line2);
  ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
  const bool is_open =
      ImGui::BeginCombo(("##" + name).c_str(), current.c_str(), ImGuiComboFlags_NoArrowButton);
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  draw_icon(frame, *ImGui::GetWindowDrawList(), {max.x - frame.px(14), (min.y + max.y) / 2},
            icon::kChevronDown, 15, frame.theme.text2);
  if (is_open) {
    for (const std::string_view choice : row.choices) {
      const std::string text(choice);
      if (ImGui::Selectable(text.c_str(), text == current)) take(frame, state, row, text);
      frame.record(name + '/' + text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    ImGui::EndCombo();
  } else {
    frame.record(name, min, max, true, current);
  }
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void draw_switch(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                 const std::string& name) {
  constexpr std::array<std::string_view, 2> kLabels = {"off", "on"};
  int chosen = text_shown(frame, state, row) == "true" ? 1 : 0;
  if (segmented(frame, name.c_str(), kLabels, chosen))
    take(frame, state, row, chosen == 1 ? "true" : "false");
}

void draw_text_setting(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                       const std::string& name) {
  const std::string key(row.key);
  const std::string current = base::text_of(settings_of(frame), row);
  std::string value = text_shown(frame, state, row);
  const std::string hint = base::default_text(row).empty() ? "none" : base::default_text(row);
  if (text_field(frame, name.c_str(), value, hint.c_str(), kFieldWidth)) state.typed[key] = value;
  if (ImGui::IsItemDeactivatedAfterEdit()) take(frame, state, row, value);
  if (ImGui::IsItemDeactivated() && value == current) {
    state.typed.erase(key);
    state.problems.erase(key);
  }
}

void draw_setting(const Frame& frame, RunSettingsState& state, const base::SettingRow& row) {
  const std::string name = fmt::format("settings/{}", row.key);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // As it is when the frame begins: the field below may change it.
  const auto found = state.problems.find(std::string(row.key));
  const bool is_wrong = found != state.problems.end();
  const std::string problem = is_wrong ? found->second : std::string();
  draw_text(frame, *ImGui::GetWindowDrawList(), at, setting_label(row),
            {.size = FontSize::kLabel, .colour = is_wrong ? frame.theme.bad : frame.theme.text3});
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(18)});
  if (row.kind == base::SettingKind::choice) {
    draw_choice(frame, state, row, name);
  } else if (row.kind == base::SettingKind::flag) {
    draw_switch(frame, state, row, name);
  } else {
    draw_text_setting(frame, state, row, name);
  }
  tooltip(frame, is_wrong ? problem : tooltip_of(row));
  if (is_wrong) {
    const TextStyle small{.size = FontSize::kLabel - 1, .colour = frame.theme.bad};
    draw_text(frame, *ImGui::GetWindowDrawList(), {at.x, at.y + frame.px(46)},
              elided(frame, problem, small, frame.px(kCellWidth - 8)), small);
  }
}

/// Fields side by side, as many as there is room for.
template <typename Wanted>
void draw_settings(const Frame& frame, RunSettingsState& state, Wanted is_wanted) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float cell_height = frame.px(frame.is_small() ? kSmallCellHeight : kCellHeight);
  const auto columns =
      std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / frame.px(kCellWidth)));
  int count = 0;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (!is_wanted(row)) continue;
    ImGui::SetCursorScreenPos(
        {origin.x + frame.px(kCellWidth) * static_cast<float>(count % columns),
         origin.y + cell_height * static_cast<float>(count / columns)});
    draw_setting(frame, state, row);
    ++count;
  }
  const int rows = (count + columns - 1) / columns;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({1, cell_height * static_cast<float>(rows)});
}

void draw_classes(const Frame& frame, const base::DatasetSummary& data) {
  const TextStyle style{.size = FontSize::kTable, .colour = frame.theme.text2};
  std::string names;
  for (const base::ClassSummary& each : data.classes) {
    names += names.empty() ? each.name : ", " + each.name;
  }
  text(frame,
       elided(frame, fmt::format("Classes: {}", names), style, ImGui::GetContentRegionAvail().x),
       style);
}

void draw_findings(const Frame& frame, const base::DatasetSummary& data) {
  constexpr std::size_t kMost = 4;
  std::size_t shown = 0;
  for (const base::Finding& finding : data.findings) {
    if (finding.severity != base::Severity::warning || shown == kMost) continue;
    const TextStyle style{.size = FontSize::kTable, .colour = frame.theme.warn};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(frame, *ImGui::GetWindowDrawList(), {at.x + frame.px(8), at.y + frame.px(7)},
              icon::kAlert, 15, frame.theme.warn);
    ImGui::SetCursorScreenPos({at.x + frame.px(22), at.y});
    const std::string message = finding.file.empty()
                                    ? finding.message
                                    : fmt::format("{}: {}", finding.file, finding.message);
    text(frame, elided(frame, message, style, ImGui::GetContentRegionAvail().x - frame.px(22)),
         style);
    tooltip(frame, message);
    ++shown;
  }
}

void draw_data(const Frame& frame) {
  const run::RunRequest& request = *frame.run.request;
  text(frame, base::name_of_folder(request.data_folder),
       {.size = FontSize::kFigure, .weight = Weight::semibold});
  const TextStyle style{.size = FontSize::kTable, .colour = frame.theme.text2};
  if (frame.shell.data == nullptr) {
    text(frame, base::display_path(request.data_folder), style);
    return;
  }
  const base::DatasetSummary& data = frame.shell.data->summary;
  text(frame,
       fmt::format("{} samples, {}, {} {} of {}, layout {}", count_text(data.samples),
                   sizes_text(data), data.channels, data.channels == 1 ? "channel" : "channels",
                   base::name_of(data.type), data.layout),
       style);
  draw_classes(frame, data);
  draw_findings(frame, data);
}

/// The title, with what can be done at the right end of its line, or below it.
void draw_head(const Frame& frame, RunSettingsState& state) {
  constexpr float kAllWidth = 118, kStartWidth = 138, kGap = 8, kHeight = 28;
  const TextStyle style{.weight = Weight::semibold};
  constexpr std::string_view kTitle = "Settings of the run";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float buttons = frame.px(kAllWidth + kGap + kStartWidth);
  const float right = ImGui::GetContentRegionAvail().x - buttons;
  const bool fits = right >= text_size(frame, kTitle, style).x + frame.px(2 * kGap);
  draw_text(frame, *ImGui::GetWindowDrawList(), {at.x, at.y + frame.px((kHeight - style.size) / 2)},
            kTitle, style);
  ImGui::SetCursorScreenPos(fits ? ImVec2{at.x + right, at.y}
                                 : ImVec2{at.x, at.y + frame.px(kHeight)});
  if (button(frame, "settings/all", state.shows_all ? "Fewer settings" : "All settings",
             {.width = kAllWidth, .height = kHeight})) {
    state.shows_all = !state.shows_all;
  }
  ImGui::SameLine(0, frame.px(kGap));
  if (button(frame, "settings/start", "Start training",
             {.icon = icon::kPlay,
              .width = kStartWidth,
              .height = kHeight,
              .refusal = start_refusal(state)})) {
    frame.command(run::StartRun{});
  }
}

}  // namespace

void follow_request(const run::RunSnapshot& run, RunSettingsState& state) {
  if (!run.request.has_value()) return;
  const run::RunRequest& request = *run.request;
  if (request.run_folder == state.run_folder && request.data_folder == state.data_folder) return;
  state.run_folder = request.run_folder;
  state.data_folder = request.data_folder;
  state.typed.clear();
  state.problems.clear();
}

std::string start_refusal(const RunSettingsState& state) {
  if (state.problems.empty()) return state.data_refusal;
  const auto& [key, problem] = *state.problems.begin();
  const base::SettingRow* const row = base::find_setting(key);
  return fmt::format("The setting {} was not taken: {}", row == nullptr ? key : setting_label(*row),
                     problem);
}

void draw_run_settings(const Frame& frame, RunSettingsState& state) {
  if (!frame.run.request) return;
  draw_data(frame);
  hairline(frame);
  draw_head(frame, state);
  draw_settings(frame, state, is_main);
  if (!state.shows_all) return;
  for (const base::SettingGroup group : {base::SettingGroup::model, base::SettingGroup::step,
                                         base::SettingGroup::data, base::SettingGroup::train}) {
    hairline(frame);
    text(frame, base::name_of(group), {.weight = Weight::semibold});
    draw_settings(frame, state, [group](const base::SettingRow& row) {
      return row.group == group && !is_main(row);
    });
  }
}

}  // namespace headroom::ui
