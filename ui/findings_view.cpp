#include "ui/findings_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ui/chip.hpp"
#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/widgets.hpp"
#include "ui/window_words.hpp"

namespace headroom::ui {
namespace {

constexpr float kTitleHeight = 32;
constexpr float kIconWidth = 26;
constexpr float kShowWidth = 58;

/// Switches by severity; severities that nothing has are left out.
void draw_filter(const Frame& frame, DataState& state, float end_x) {
  const SeverityCounts counts = count_findings(state.of->summary.findings);
  constexpr std::array<const char*, kSeverities> kNames = {
      "data/findings/notes", "data/findings/warnings", "data/findings/errors"};
  for (std::size_t i = kSeverities; i-- > 0;) {
    if (counts[i] == 0) continue;
    const auto severity = static_cast<base::Severity>(i);
    const SeverityLook look = look_of(frame.theme, severity);
    const std::string label = count_of_severity(severity, counts[i]);
    const ChipLook chip_look{.label = label,
                             .icon = look.icon,
                             .colour = look.colour,
                             .tooltip = state.severities[i] ? "Hide them" : "Show them"};
    if (ImGui::GetCursorScreenPos().x + chip_width(frame, chip_look) > end_x) return;
    if (chip(frame, kNames[i], chip_look, state.severities[i])) refilter_findings(state);
  }
}

void draw_title(const Frame& frame, DataState& state, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TextStyle title{.weight = Weight::semibold};
  const float middle = at.y + frame.px(12);
  draw_text(frame, *ImGui::GetWindowDrawList(), {at.x, middle - frame.px(title.size / 2)},
            "Findings", title);
  const float copy_x = at.x + width - frame.px(28);
  ImGui::SetCursorScreenPos({at.x + text_size(frame, "Findings", title).x + frame.px(14), at.y});
  draw_filter(frame, state, copy_x - frame.px(4));
  ImGui::SetCursorScreenPos({copy_x, at.y - frame.px(1)});
  if (button(frame, "data/findings/copy", "",
             {.kind = ButtonKind::flat,
              .icon = icon::kCopy,
              .width = 28,
              .height = 26,
              .refusal = state.findings.empty() ? "There is no finding to copy." : "",
              .tooltip = "Copy the findings shown"})) {
    ImGui::SetClipboardText(copied_findings(state.of->summary.findings, state.findings).c_str());
  }
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kTitleHeight)});
}

/// The sample that a finding is about, where the preview can show it.
std::optional<std::size_t> sample_of(const DataFolder& data, std::size_t finding) {
  if (finding >= data.sample_of_finding.size()) return {};
  const std::optional<std::size_t> sample = data.sample_of_finding[finding];
  return sample && *sample < data.samples.size() ? sample : std::nullopt;
}

void draw_finding(const Frame& frame, DataState& state, std::size_t index, float width) {
  const base::Finding& finding = state.of->summary.findings[index];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = finding_row(frame);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::Dummy({std::max(1.0F, width), height});
  const bool is_hovered = ImGui::IsItemHovered();
  const std::string message = window_words(finding.message);
  const std::string whole =
      (finding.file.empty() ? "" : finding.file + '\n') + message + '\n' + finding.code;
  if (is_hovered) tooltip(frame, whole);
  frame.record(fmt::format("data/finding/{}", index), at, {at.x + width, at.y + height}, true,
               whole);
  const SeverityLook look = look_of(frame.theme, finding.severity);
  draw_icon(frame, list, {at.x + frame.px(9), at.y + height / 2}, look.icon, 18, look.colour);
  const float left = at.x + frame.px(kIconWidth);
  float right = at.x + width;
  const std::optional<std::size_t> sample = sample_of(*state.of, index);
  if (sample) {
    right -= frame.px(kShowWidth);
    ImGui::SetCursorScreenPos({right, at.y + (height - frame.px(26)) / 2});
    if (button(frame, fmt::format("data/finding/{}/show", index).c_str(), "Show",
               {.width = kShowWidth, .height = 26, .tooltip = "Show the sample in the preview"})) {
      choose_sample(state, *sample);
    }
    right -= frame.px(10);
  }
  const TextStyle subject{.size = FontSize::kTable, .weight = Weight::medium};
  const TextStyle words{.size = FontSize::kTable, .colour = frame.theme.text2};
  const TextStyle code{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const std::string file = finding.file.empty() ? "All of the data" : finding.file;
  const std::string shown = elided(frame, file, subject, std::max(0.0F, right - left));
  draw_text(frame, list, {left, at.y + height / 2 - frame.px(17)}, shown, subject);
  const float code_x = left + text_size(frame, shown, subject).x + frame.px(10);
  if (code_x + text_size(frame, finding.code, code).x <= right)
    draw_text(frame, list, {code_x, at.y + height / 2 - frame.px(16.5F)}, finding.code, code);
  draw_text(frame, list, {left, at.y + height / 2 + frame.px(1)},
            elided(frame, message, words, std::max(0.0F, right - left)), words);
  list.AddLine({at.x, at.y + height - 1}, {at.x + width, at.y + height - 1},
               packed(frame.theme.line));
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

void draw_nothing_found(const Frame& frame) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TextStyle words{.size = FontSize::kTable, .colour = frame.theme.text2};
  draw_icon(frame, *ImGui::GetWindowDrawList(), {at.x + frame.px(9), at.y + frame.px(10)},
            icon::kCheckCircle, 18, frame.theme.ok);
  ImGui::SetCursorScreenPos({at.x + frame.px(kIconWidth), at.y + frame.px(3)});
  text(frame, "Nothing in the data needs a look.", words);
  frame.record("data/findings/none", at, ImGui::GetItemRectMax());
}

}  // namespace

float finding_row(const Frame& frame) { return frame.px(frame.is_small() ? 40 : 44); }

SeverityLook look_of(const Theme& theme, base::Severity severity) {
  switch (severity) {
    case base::Severity::error:
      return {icon::kAlertCircle, theme.bad};
    case base::Severity::warning:
      return {icon::kAlert, theme.warn};
    case base::Severity::info:
      break;
  }
  return {icon::kInformation, theme.text3};
}

void draw_findings(const Frame& frame, DataState& state, const ImVec2& size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_title(frame, state, size.x);
  if (state.of->summary.findings.empty()) {
    draw_nothing_found(frame);
  } else {
    const ImVec2 rows{size.x, size.y - frame.px(kTitleHeight)};
    if (begin_rows(frame, "data/findings", rows)) {
      ImGuiListClipper clipper;
      clipper.Begin(static_cast<int>(state.findings.size()), finding_row(frame));
      while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
          draw_finding(frame, state, state.findings[static_cast<std::size_t>(row)], size.x);
      }
      if (state.findings.empty())
        draw_empty_state(frame, "data/findings/empty", icon::kList, "All findings are hidden");
    }
    end_rows();
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
}

}  // namespace headroom::ui
