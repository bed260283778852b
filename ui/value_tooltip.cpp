#include "ui/value_tooltip.hpp"

#include <algorithm>

#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kLine = 19;
constexpr float kSwatch = 9;
constexpr float kWidestLabel = 220;

void draw_rows(const Frame& frame, std::span<const ValueRow> rows) {
  const TextStyle label{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const TextStyle value{.size = FontSize::kLabel, .weight = Weight::medium};
  float labels = 0;
  float values = 0;
  const bool has_swatches =
      std::ranges::any_of(rows, [](const ValueRow& row) { return row.colour.w > 0; });
  for (const ValueRow& row : rows) {
    labels = std::max(labels, text_size(frame, row.label, label).x);
    values = std::max(values, text_size(frame, row.value, value).x);
  }
  labels = std::min(labels, frame.px(kWidestLabel));
  const float indent = has_swatches ? frame.px(kSwatch + 7) : 0;
  const float width = indent + labels + frame.px(18) + values;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, frame.px(kLine) * static_cast<float>(rows.size())});
  for (const ValueRow& row : rows) {
    if (row.colour.w > 0) {
      const float top = at.y + frame.px((FontSize::kLabel - kSwatch) / 2);
      list.AddRectFilled({at.x, top}, {at.x + frame.px(kSwatch), top + frame.px(kSwatch)},
                         packed(row.colour), frame.px(2));
    }
    draw_text(frame, list, {at.x + indent, at.y}, elided(frame, row.label, label, labels), label);
    draw_text(frame, list, {at.x + width, at.y}, row.value, value, Align::right);
    at.y += frame.px(kLine);
  }
}

void draw_note(const Frame& frame, std::string_view note) {
  constexpr float kNoteWidth = 320;
  ImGui::PushFont(frame.fonts.regular, FontSize::kLabel);
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text2);
  ImGui::PushTextWrapPos(frame.px(kNoteWidth));
  ImGui::TextUnformatted(note.data(), note.data() + note.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace

void value_tooltip(const Frame& frame, std::string_view title, std::span<const ValueRow> rows,
                   std::string_view note) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(12), frame.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(4)});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  if (ImGui::BeginTooltip()) {
    if (!title.empty()) {
      text(frame, elided(frame, title, {.size = FontSize::kTable}, frame.px(kWidestLabel * 2)),
           {.size = FontSize::kTable, .weight = Weight::semibold});
    }
    if (!rows.empty()) draw_rows(frame, rows);
    if (!note.empty()) draw_note(frame, note);
    ImGui::EndTooltip();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
