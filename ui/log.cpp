#include "ui/log.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/log_lines.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr std::array<std::string_view, 3> kFilters = {"All", "Events", "Findings"};
constexpr float kRowHeight = 21;
constexpr float kTimeWidth = 66;
constexpr float kIconWidth = 24;

struct LineLook {
  const char* icon;
  ImVec4 icon_colour;
  ImVec4 text_colour;
};

LineLook look_of(const Frame& frame, const run::LogEntry& entry) {
  const Theme& theme = frame.theme;
  if (entry.severity == base::Severity::error) return {icon::kAlertCircle, theme.bad, theme.bad};
  if (entry.severity == base::Severity::warning) return {icon::kAlert, theme.warn, theme.text1};
  switch (entry.topic) {
    case run::LogTopic::plan:
      return {icon::kSwap, theme.accent, theme.text1};
    case run::LogTopic::save:
      return {icon::kSave, theme.text3, theme.text2};
    case run::LogTopic::validation:
    case run::LogTopic::finding:
    case run::LogTopic::event:
      break;
  }
  return {icon::kInformation, theme.text3, theme.text2};
}

/// The filter, the field, and copying what they leave, which is returned.
std::vector<std::size_t> draw_tools(const Frame& frame, LogState& state) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  static_cast<void>(segmented(frame, "log/filter", kFilters, state.filter));
  const float filter_end = ImGui::GetItemRectMax().x;
  const float copy_width = frame.px(28);
  const float field = at.x + width - copy_width - frame.px(8) - (filter_end + frame.px(8));
  if (field >= frame.px(64)) {
    ImGui::SetCursorScreenPos({filter_end + frame.px(8), at.y - frame.px(1)});
    static_cast<void>(text_field(frame, "log/text", state.text, "Filter", field / frame.scale));
  }
  ImGui::SetCursorScreenPos({at.x + width - copy_width, at.y - frame.px(1)});
  std::vector<std::size_t> lines =
      shown_lines(frame.run.log, static_cast<LogFilter>(state.filter), state.text);
  if (button(frame, "log/copy", "",
             {.kind = ButtonKind::flat,
              .icon = icon::kCopy,
              .width = 28,
              .height = 26,
              .refusal = lines.empty() ? "There is no line to copy." : "",
              .tooltip = "Copy the lines shown"})) {
    ImGui::SetClipboardText(copied_text(frame.run.log, lines, frame.shell.utc_offset).c_str());
  }
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(34)});
  return lines;
}

void draw_line(const Frame& frame, const run::LogEntry& entry, std::size_t index) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = frame.px(kRowHeight);
  ImGui::Dummy({std::max(1.0F, width), height});
  const bool is_hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const LineLook look = look_of(frame, entry);
  const TextStyle style{.size = FontSize::kTable, .colour = look.text_colour};
  const float text_y = at.y + (height - frame.px(style.size)) / 2;
  draw_text(frame, list, {at.x, text_y}, clock_text(entry.time, frame.shell.utc_offset),
            {.size = FontSize::kTable, .colour = frame.theme.text3});
  draw_icon(frame, list, {at.x + frame.px(kTimeWidth + 8), at.y + height / 2}, look.icon, 16,
            look.icon_colour);
  const float left = at.x + frame.px(kTimeWidth + kIconWidth);
  const std::string shown = elided(frame, entry.text, style, std::max(0.0F, at.x + width - left));
  draw_text(frame, list, {left, text_y}, shown, style);
  frame.record("log/line/" + std::to_string(index), at, {at.x + width, at.y + height}, true,
               entry.text);
  if (is_hovered && shown != entry.text) tooltip(frame, entry.text);
}

void draw_lines(const Frame& frame, const std::vector<std::size_t>& lines) {
  if (lines.empty()) {
    draw_empty_state(
        frame, "log/empty", icon::kList,
        frame.run.log.empty() ? "What happens is written here" : "No line passes the filter");
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginChild("log/lines")) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()), frame.px(kRowHeight));
    while (clipper.Step()) {
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        const std::size_t index = lines[static_cast<std::size_t>(row)];
        draw_line(frame, frame.run.log[index], index);
      }
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_log(const Frame& frame, LogState& state) { draw_lines(frame, draw_tools(frame, state)); }

}  // namespace headroom::ui
