#include "ui/stage_table.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "ui/number_text.hpp"
#include "ui/plan_edit.hpp"
#include "ui/stage_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

enum class Column { stage, side, channels, policy, kept, saved, share, time };

/// `place` is the column's left edge, or its right one where its values are numbers, as a share of
/// the table's width.
struct ColumnPlace {
  Column column;
  const char* title;
  float place;
  bool is_number;
};

constexpr std::array kWide = {ColumnPlace{Column::stage, "Stage", 0, false},
                              ColumnPlace{Column::side, "Side", 0.195F, true},
                              ColumnPlace{Column::channels, "Ch", 0.26F, true},
                              ColumnPlace{Column::policy, "Policy", 0.295F, false},
                              ColumnPlace{Column::kept, "Kept", 0.575F, true},
                              ColumnPlace{Column::saved, "Saved", 0.715F, true},
                              ColumnPlace{Column::share, "Share of peak", 0.752F, false},
                              ColumnPlace{Column::time, "Time", 1, true}};
constexpr std::array kNarrow = {ColumnPlace{Column::stage, "Stage", 0, false},
                                ColumnPlace{Column::policy, "Policy", 0.165F, false},
                                ColumnPlace{Column::kept, "Kept", 0.575F, true},
                                ColumnPlace{Column::saved, "Saved", 0.785F, true},
                                ColumnPlace{Column::time, "Time", 1, true}};
constexpr std::array kNarrowest = {ColumnPlace{Column::stage, "Stage", 0, false},
                                   ColumnPlace{Column::policy, "Policy", 0.35F, false},
                                   ColumnPlace{Column::kept, "Kept", 1, true}};

std::span<const ColumnPlace> columns_of(float design_width) {
  if (design_width >= 480) return kWide;
  if (design_width >= 320) return kNarrow;
  return kNarrowest;
}

std::string value_of(const StageFacts& stage, Column column) {
  switch (column) {
    case Column::stage:
      return stage.name;
    case Column::side:
      return stage.width > 0 ? std::to_string(stage.width) : kNone;
    case Column::channels:
      return stage.channels > 0 ? std::to_string(stage.channels) : kNone;
    case Column::policy:
      return plan::title_of(stage.policy);
    case Column::kept:
      return stage.kept_bytes.has_value() ? short_bytes_text(*stage.kept_bytes) : kNone;
    case Column::saved:
      return saved_text(stage);
    case Column::share:
      return stage.share_of_peak.has_value() ? percent_text(*stage.share_of_peak) : kNone;
    case Column::time:
      return stage.seconds.has_value() ? time_text(*stage.seconds) : kNone;
  }
  return {};
}

struct RowBox {
  ImVec2 min{};  ///< of the text's area
  float width = 0, height = 0;
};

void draw_share(const Frame& frame, const StageFacts& stage, const RowBox& row, float x,
                const TextStyle& style) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = row.min.y + row.height / 2;
  const float length = row.width * 0.07F;
  draw_bar(frame, list, {x, middle - frame.px(1.5F)}, {x + length, middle + frame.px(1.5F)},
           static_cast<float>(stage.share_of_peak.value_or(0)),
           stage.is_peak ? frame.theme.accent : frame.theme.text2);
  draw_text(frame, list, {row.min.x + row.width * 0.89F, middle - frame.px(style.size) / 2},
            value_of(stage, Column::share), style, Align::right);
}

void draw_cell(const Frame& frame, const StageFacts& stage, const ColumnPlace& place,
               const RowBox& row) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_word = place.column == Column::stage;
  const bool is_quiet = place.column == Column::side || place.column == Column::channels ||
                        place.column == Column::policy;
  TextStyle style{.size = FontSize::kTable,
                  .weight = is_word ? Weight::medium : Weight::regular,
                  .colour = is_quiet ? frame.theme.text2 : frame.theme.text1};
  float x = row.min.x + place.place * row.width;
  if (place.column == Column::share) {
    draw_share(frame, stage, row, x, style);
    return;
  }
  const float y = row.min.y + (row.height - frame.px(style.size)) / 2;
  if (place.column == Column::policy) {
    const float side = 11;
    draw_policy_swatch(frame, list, {x, row.min.y + (row.height - frame.px(side)) / 2}, side,
                       stage.policy);
    x += frame.px(side + 7);
    if (stage.is_next) style.colour = frame.theme.accent;
  }
  const std::string value = value_of(stage, place.column);
  if (value == kNone) style.colour = frame.theme.text3;
  draw_text(frame, list, {x, y}, is_word ? elided(frame, value, style, row.width * 0.16F) : value,
            style, place.is_number ? Align::right : Align::left);
}

void draw_header(const Frame& frame, std::span<const ColumnPlace> columns, const RowBox& row) {
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text3};
  for (const ColumnPlace& place : columns) {
    draw_text(
        frame, *ImGui::GetWindowDrawList(),
        {row.min.x + place.place * row.width, row.min.y + (row.height - frame.px(style.size)) / 2},
        place.title, style, place.is_number ? Align::right : Align::left);
  }
}

/// Where a row's policy is, which is a control of its own.
ImVec2 policy_range(std::span<const ColumnPlace> columns) {
  for (const ColumnPlace& place : columns) {
    if (place.column == Column::policy) return {place.place - 0.012F, place.place + 0.17F};
  }
  return {0, 0};
}

void touch_row(const Frame& frame, const NetworkFacts& network, std::size_t index,
               const RowBox& row, const ImVec2& policy_x, TableTouch& touch) {
  const StageFacts& stage = network.stages[index];
  const auto number = static_cast<int>(index);
  const float pad = ImGui::GetStyle().WindowPadding.x;
  const ImVec2 min{row.min.x - pad, row.min.y};
  const ImVec2 max{row.min.x + row.width + pad, row.min.y + row.height};
  ImGui::PushID(number);
  ImGui::SetNextItemAllowOverlap();
  const std::string name = "plan/row/" + stage.name;
  const Hit on_row = hit_area(frame, name.c_str(), min, max, stage_line(stage));
  const plan::Policy next =
      stage.is_head ? stage.policy : next_policy(stage.policy, network.policies);
  const std::string refusal = network.refusal_of(index, next);
  const Hit on_policy =
      hit_area(frame, (name + "/policy").c_str(), {row.min.x + policy_x.x * row.width, min.y},
               {row.min.x + policy_x.y * row.width, max.y}, plan::title_of(stage.policy), refusal);
  tooltip(frame, refusal.empty()
                     ? std::string(plan::title_of(next)) + ": " + change_text(stage, next)
                     : refusal);
  ImGui::PopID();
  if (on_row.hovered || on_policy.hovered || on_row.focused || on_policy.focused)
    frame.shared.next_hovered_stage = number;
  if (on_row.pressed) touch.selected = number;
  if (on_policy.pressed) touch.cycled = number;
  if (on_row.right_pressed || on_policy.right_pressed) touch.right_pressed = number;
}

void draw_row_ground(const Frame& frame, int index, const RowBox& row) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = ImGui::GetStyle().WindowPadding.x;
  const ImVec2 min{row.min.x - pad, row.min.y};
  const ImVec2 max{row.min.x + row.width + pad, row.min.y + row.height};
  if (frame.shared.hovered_stage == index) list.AddRectFilled(min, max, packed(frame.theme.bg2));
  if (frame.shared.selected_stage != index) return;
  list.AddRectFilled(min, max, packed(with_alpha(frame.theme.accent, 0.12F)));
  list.AddRectFilled(min, {min.x + frame.px(2), max.y}, packed(frame.theme.accent));
}

}  // namespace

TableTouch draw_stage_table(const Frame& frame, const NetworkFacts& network) {
  TableTouch touch;
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const std::span<const ColumnPlace> columns = columns_of(width / frame.scale);
  const ImVec2 policy_x = policy_range(columns);
  RowBox row{.min = ImGui::GetCursorScreenPos(), .width = width, .height = frame.px(22)};
  const ImVec2 begin = row.min;
  draw_header(frame, columns, row);
  row.min.y += row.height;
  for (std::size_t i = 0; i < network.stages.size(); ++i) {
    if (ImGui::IsRectVisible(row.min, {row.min.x + row.width, row.min.y + row.height})) {
      draw_row_ground(frame, static_cast<int>(i), row);
      touch_row(frame, network, i, row, policy_x, touch);
      for (const ColumnPlace& place : columns) draw_cell(frame, network.stages[i], place, row);
    }
    row.min.y += row.height;
  }
  ImGui::SetCursorScreenPos(begin);
  ImGui::Dummy({width, row.min.y - begin.y});
  return touch;
}

}  // namespace headroom::ui
