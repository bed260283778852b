#include "ui/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kFieldWidth = 132;
constexpr float kCellWidth = 176;
constexpr float kCellHeight = 66;

/// What most people change; the rest is one click away.
constexpr std::array<std::string_view, 12> kMain = {
    "tile",           "batch", "steps",  "lr",        "levels", "base_channels",
    "validate_every", "plan",  "budget", "precision", "split",  "mapping"};

bool is_main(const base::SettingRow& row) {
  return std::find(kMain.begin(), kMain.end(), row.key) != kMain.end();
}

/// "base channels" of "--base-channels".
std::string label_of(const base::SettingRow& row) {
  std::string label(row.flag.substr(2));
  std::replace(label.begin(), label.end(), '-', ' ');
  return label;
}

std::string tooltip_of(const base::SettingRow& row) {
  const std::string range = base::range_text(row);
  return fmt::format("{}{}{}\nDefault: {}", row.help, range.empty() ? "" : "\n", range,
                     base::default_text(row));
}

void take(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
          const std::string& text) {
  const std::string key(row.key);
  run::RunRequest request = *frame.run.request;
  try {
    base::apply_text(request.settings, row, text);
    base::check_settings(request.settings);
    state.problems.erase(key);
    state.typed.erase(key);
    frame.command(run::Configure{std::move(request)});
  } catch (const base::Error& error) {
    // The field keeps what was typed, and says why it is not taken.
    state.problems[key] = error.parts().subject;
  }
}

void draw_choice(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                 const std::string& name) {
  const std::string current = base::text_of(frame.run.request->settings, row);
  ImGui::SetNextItemWidth(frame.px(kFieldWidth));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.px(8), frame.px(5)});
  ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
  if (ImGui::BeginCombo(("##" + name).c_str(), current.c_str())) {
    for (const std::string_view choice : row.choices) {
      const std::string text(choice);
      if (ImGui::Selectable(text.c_str(), text == current)) take(frame, state, row, text);
      frame.record(name + '/' + text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    ImGui::EndCombo();
  } else {
    frame.record(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true, current);
  }
  ImGui::PopFont();
  ImGui::PopStyleVar();
}

void draw_switch(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                 const std::string& name) {
  constexpr std::array<std::string_view, 2> kLabels = {"off", "on"};
  int chosen = base::text_of(frame.run.request->settings, row) == "true" ? 1 : 0;
  if (segmented(frame, name.c_str(), kLabels, chosen))
    take(frame, state, row, chosen == 1 ? "true" : "false");
}

void draw_text_setting(const Frame& frame, RunSettingsState& state, const base::SettingRow& row,
                       const std::string& name) {
  const std::string key(row.key);
  const std::string current = base::text_of(frame.run.request->settings, row);
  const auto typed = state.typed.find(key);
  std::string value = typed == state.typed.end() ? current : typed->second;
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
  const auto problem = state.problems.find(std::string(row.key));
  const bool is_wrong = problem != state.problems.end();
  draw_text(frame, *ImGui::GetWindowDrawList(), at, label_of(row),
            {.size = FontSize::kLabel, .colour = is_wrong ? frame.theme.bad : frame.theme.text3});
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(18)});
  if (row.kind == base::SettingKind::choice) {
    draw_choice(frame, state, row, name);
  } else if (row.kind == base::SettingKind::flag) {
    draw_switch(frame, state, row, name);
  } else {
    draw_text_setting(frame, state, row, name);
  }
  tooltip(frame, is_wrong ? problem->second : tooltip_of(row));
  if (is_wrong) {
    const TextStyle small{.size = FontSize::kLabel - 1, .colour = frame.theme.bad};
    draw_text(frame, *ImGui::GetWindowDrawList(), {at.x, at.y + frame.px(46)},
              elided(frame, problem->second, small, frame.px(kCellWidth - 8)), small);
  }
}

/// Fields side by side, as many as there is room for.
template <typename Wanted>
void draw_settings(const Frame& frame, RunSettingsState& state, Wanted is_wanted) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto columns =
      std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / frame.px(kCellWidth)));
  int count = 0;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (!is_wanted(row)) continue;
    ImGui::SetCursorScreenPos(
        {origin.x + frame.px(kCellWidth) * static_cast<float>(count % columns),
         origin.y + frame.px(kCellHeight) * static_cast<float>(count / columns)});
    draw_setting(frame, state, row);
    ++count;
  }
  const int rows = (count + columns - 1) / columns;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({1, frame.px(kCellHeight) * static_cast<float>(rows)});
}

std::string sizes_text(const base::DatasetSummary& data) {
  if (data.min_width == data.max_width && data.min_height == data.max_height)
    return fmt::format("{} \xC3\x97 {}", count_text(data.max_width), count_text(data.max_height));
  return fmt::format("{} \xC3\x97 {} to {} \xC3\x97 {}", count_text(data.min_width),
                     count_text(data.min_height), count_text(data.max_width),
                     count_text(data.max_height));
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
  text(frame, request.data_folder.filename().string(),
       {.size = FontSize::kFigure, .weight = Weight::semibold});
  const TextStyle style{.size = FontSize::kTable, .colour = frame.theme.text2};
  if (!frame.shell.dataset) {
    text(frame, request.data_folder.string(), style);
    return;
  }
  const base::DatasetSummary& data = *frame.shell.dataset;
  text(frame,
       fmt::format("{} samples, {}, {} channels of {}, layout {}", count_text(data.samples),
                   sizes_text(data), data.channels, base::name_of(data.type), data.layout),
       style);
  draw_classes(frame, data);
  draw_findings(frame, data);
}

}  // namespace

void draw_run_settings(const Frame& frame, RunSettingsState& state) {
  if (!frame.run.request) return;
  draw_data(frame);
  hairline(frame);
  text(frame, "Settings of the run", {.weight = Weight::semibold});
  draw_settings(frame, state, is_main);
  if (button(frame, "settings/all", state.shows_all ? "Fewer settings" : "All settings",
             {.kind = ButtonKind::plain})) {
    state.shows_all = !state.shows_all;
  }
  ImGui::SameLine();
  if (button(frame, "settings/start", "Start training",
             {.kind = ButtonKind::plain,
              .icon = icon::kPlay,
              .refusal = state.problems.empty() ? "" : "A setting above was not taken."})) {
    frame.command(run::StartRun{});
  }
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
