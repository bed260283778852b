#include "ui/plan_head.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kAgainstKeep = " against all Keep";
constexpr const char* kToKeep = " to all Keep";

std::string change_note(double now, double before, bool is_short) {
  if (!(before > 0) || !std::isfinite(now)) return {};
  const double share = now / before - 1;
  std::string text = (share > 0 ? "+" : "") + percent_text(share);
  return text + (is_short ? kToKeep : kAgainstKeep);
}

struct Column {
  const char* name;  ///< for the probe
  std::string label{}, short_label{};
  std::string value{}, note{}, short_note{};
  ImVec4 value_colour{};
};

Column peak_column(const Frame& frame, const NetworkFacts& network) {
  const auto& step = frame.run.last_step;
  return {.name = "plan/figure/peak",
          .label = "Peak, measured",
          .short_label = "Peak",
          .value = step.has_value() ? figure_bytes_text(step->peak_total_bytes) : kNone,
          .note = peak_note(frame.run, network, false),
          .short_note = peak_note(frame.run, network, true)};
}

Column time_column(const Frame& frame, const NetworkFacts& network) {
  const auto& step = frame.run.last_step;
  return {.name = "plan/figure/time",
          .label = "Step time, measured",
          .short_label = "Step time",
          .value = step.has_value() ? time_text(step->total_seconds) : kNone,
          .note = step_time_note(frame.run, network, false),
          .short_note = step_time_note(frame.run, network, true)};
}

Column headroom_column(const Frame& frame) {
  Column column{.name = "plan/figure/headroom",
                .label = "Headroom",
                .short_label = "Headroom",
                .value = kNone};
  const std::int64_t budget = frame.run.facts != nullptr ? frame.run.facts->budget_bytes : 0;
  if (!frame.run.last_step.has_value() || budget <= 0) return column;
  const std::int64_t left = budget - frame.run.last_step->peak_total_bytes;
  column.value = figure_bytes_text(left);
  column.value_colour = left < 0 ? frame.theme.bad : frame.theme.ok;
  const double share = static_cast<double>(std::abs(left)) / static_cast<double>(budget);
  column.note = percent_text(share) + (left < 0 ? " above the budget" : " of the budget");
  column.short_note = percent_text(share);
  return column;
}

/// The long form where it fits, else the short one, cut where even that does not.
std::string fitting(const Frame& frame, const std::string& words, const std::string& short_words,
                    float room) {
  const TextStyle style{.size = FontSize::kLabel};
  return text_size(frame, words, style).x <= room
             ? words
             : elided(frame, short_words, style, std::max(1.0F, room));
}

/// The large size where all values fit in it: they stand in one line.
float value_size(const Frame& frame, std::span<const Column> columns, float room) {
  const TextStyle large{.size = FontSize::kPlanFigure, .weight = Weight::semibold};
  const bool fit = std::ranges::all_of(columns, [&](const Column& column) {
    return text_size(frame, column.value, large).x <= room;
  });
  return fit ? FontSize::kPlanFigure : FontSize::kFigure;
}

void draw_column(const Frame& frame, const Column& column, const ImVec2& at, float room,
                 float size) {
  const std::string label = fitting(frame, column.label, column.short_label, room);
  const std::string note = fitting(frame, column.note, column.short_note, room);
  const ImVec2 drawn = draw_figure(frame, *ImGui::GetWindowDrawList(), at,
                                   {.label = label,
                                    .value = column.value,
                                    .note = note,
                                    .value_colour = column.value_colour,
                                    .value_size = size});
  frame.record(column.name, at, {at.x + drawn.x, at.y + drawn.y}, true,
               label + ": " + column.value);
}

bool draw_undo(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  std::string refusal = network.refusal;
  if (refusal.empty() && !edit.can_undo()) refusal = "Nothing was changed yet.";
  return button(frame, "plan/undo", frame.is_small() ? "" : "Undo",
                {.icon = icon::kUndo,
                 .width = frame.is_small() ? 34.0F : 0.0F,
                 .height = 30,
                 .refusal = refusal,
                 .tooltip = "Undo the last change of plan (Ctrl+Z)"});
}

/// From 0 to slightly past the larger of budget and peak.
struct MemoryScale {
  double peak = 0, budget = 0;  ///< bytes; 0: not known
  float left = 0, width = 0;    ///< pixels

  [[nodiscard]] float x_of(double bytes) const {
    const double end = std::max({budget, peak, 1.0}) * 1.12;
    return left + static_cast<float>(std::clamp(bytes / end, 0.0, 1.0)) * width;
  }
};

void draw_memory_bar(const Frame& frame, const MemoryScale& scale, const ImVec2& min,
                     const ImVec2& max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = frame.px(3);
  const float budget = scale.x_of(scale.budget);
  const float peak = scale.x_of(scale.peak);
  list.AddRectFilled(min, max, packed(frame.theme.bg3), rounding);
  if (scale.budget > 0) {
    list.AddRectFilled(min, {budget, max.y}, packed(with_alpha(frame.theme.ok, 0.3F)), rounding,
                       ImDrawFlags_RoundCornersLeft);
    draw_hatch(frame, list, {budget, min.y}, max, frame.theme.bg4, 5);
  }
  if (scale.peak > 0) {
    list.AddRectFilled(min, {peak, max.y}, packed(frame.theme.accent), rounding,
                       ImDrawFlags_RoundCornersLeft);
  }
  if (scale.budget <= 0) return;
  if (peak > budget) list.AddRectFilled({budget, min.y}, {peak, max.y}, packed(frame.theme.bad));
  list.AddRectFilled({budget - frame.px(1), min.y - frame.px(2)},
                     {budget + frame.px(1), max.y + frame.px(2)}, packed(frame.theme.text1));
}

void draw_memory_labels(const Frame& frame, const MemoryScale& scale, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle quiet{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const TextStyle strong{.size = FontSize::kLabel, .weight = Weight::medium};
  if (scale.peak > 0) {
    draw_text(frame, list, {scale.left, y},
              "Peak " + figure_bytes_text(static_cast<std::int64_t>(scale.peak)), quiet);
  }
  if (scale.budget <= 0) return;
  const std::string budget = "Budget " + figure_bytes_text(static_cast<std::int64_t>(scale.budget));
  const float half = text_size(frame, budget, strong).x / 2;
  draw_text(frame, list, {std::min(scale.x_of(scale.budget), scale.left + scale.width - half), y},
            budget, strong, Align::centre);
}

void draw_memory(const Frame& frame, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = frame.px(frame.is_small() ? 13 : 14);
  MemoryScale scale{.left = at.x, .width = width};
  if (frame.run.facts != nullptr)
    scale.budget = static_cast<double>(std::max<std::int64_t>(0, frame.run.facts->budget_bytes));
  if (frame.run.last_step.has_value()) {
    scale.peak =
        static_cast<double>(std::max<std::int64_t>(0, frame.run.last_step->peak_total_bytes));
  }
  draw_memory_bar(frame, scale, at, {at.x + width, at.y + height});
  draw_memory_labels(frame, scale, at.y + height + frame.px(5));
  ImGui::Dummy({width, height + frame.px(5 + FontSize::kLabel)});
}

}  // namespace

std::string peak_note(const run::RunSnapshot& run, const NetworkFacts& network, bool is_short) {
  if (!run.last_step.has_value()) return {};
  if (plan::is_all_keep(run.last_step->plan)) return "all Keep";
  if (const std::optional<AllKeep> keep = measured_all_keep(run)) {
    return change_note(static_cast<double>(run.last_step->peak_total_bytes),
                       static_cast<double>(keep->peak_bytes), is_short);
  }
  std::int64_t less = 0;
  for (const StageFacts& stage : network.stages) {
    if (!stage.keep_bytes.has_value() || !stage.kept_bytes.has_value()) return {};
    less += *stage.keep_bytes - *stage.kept_bytes;
  }
  return less > 0 && !is_short ? "keeps " + short_bytes_text(less) + " less" : std::string();
}

std::string step_time_note(const run::RunSnapshot& run, const NetworkFacts& network,
                           bool is_short) {
  if (!run.last_step.has_value()) return {};
  if (plan::is_all_keep(run.last_step->plan)) return "all Keep";
  if (const std::optional<AllKeep> keep = measured_all_keep(run))
    return change_note(plan_step_seconds(run), keep->step_seconds, is_short);
  double more = 0;
  for (const StageFacts& stage : network.stages) {
    const auto& keep = stage.under(plan::Policy::keep);
    if (!keep.has_value() || !stage.seconds.has_value()) return {};
    more += *stage.seconds - keep->seconds;
  }
  return time_change_text(more) + (is_short ? kToKeep : kAgainstKeep);
}

bool draw_plan_head(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float button_room = frame.px(frame.is_small() ? 42 : 88);
  const float room = std::max(1.0F, (width - button_room) / 3);
  const std::array<Column, 3> columns = {peak_column(frame, network), time_column(frame, network),
                                         headroom_column(frame)};
  const float size = value_size(frame, columns, room - frame.px(10));
  float x = at.x;
  for (const Column& column : columns) {
    draw_column(frame, column, {x, at.y}, room - frame.px(10), size);
    x += room;
  }
  const float height = frame.px(13 + 4 + FontSize::kPlanFigure + 4 + 13 + 10);
  ImGui::SetCursorScreenPos(
      {std::max(at.x, at.x + width - button_room + frame.px(8)), at.y + frame.px(14)});
  const bool wants_undo = draw_undo(frame, network, edit);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  draw_memory(frame, width);
  return wants_undo;
}

void draw_policy_legend(const Frame& frame) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text2};
  float x = at.x;
  for (std::size_t i = 0; i < plan::kPolicies; ++i) {
    const auto policy = static_cast<plan::Policy>(i);
    draw_policy_swatch(frame, list, {x, at.y + frame.px(1)}, 11, policy);
    draw_text(frame, list, {x + frame.px(17), at.y}, plan::title_of(policy), style);
    x += frame.px(17 + 16) + text_size(frame, plan::title_of(policy), style).x;
  }
  constexpr std::string_view kExplanation =
      "Height: resolution. Width: kept bytes. Bar: share of peak.";
  const TextStyle words{.size = FontSize::kLabel, .colour = frame.theme.text3};
  if (x - at.x + text_size(frame, kExplanation, words).x <= width)
    draw_text(frame, list, {at.x + width, at.y}, kExplanation, words, Align::right);
  ImGui::Dummy({1, frame.px(15)});
}

}  // namespace headroom::ui
