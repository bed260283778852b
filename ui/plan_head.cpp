#include "ui/plan_head.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
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

/// Of the plan that counts, where no step was measured with it.
std::optional<plan::StepPrediction> prediction_for(const Frame& frame, const PlanEdit& edit) {
  if (frame.run.last_step.has_value() && frame.run.last_step->plan == edit.plan())
    return std::nullopt;
  return prediction_of(frame.shell, edit.plan());
}

/// Against all Keep, which was predicted too.
std::string predicted_note(const Frame& frame, double now,
                           double (*of)(const plan::StepPrediction&), const PlanEdit& edit,
                           bool is_short) {
  if (plan::is_all_keep(edit.plan())) return "all Keep";
  const run::PlanForecast* const forecast = forecast_for(frame.shell, edit.plan().size());
  if (forecast == nullptr || !forecast->curve->all_keep.has_value()) return {};
  return change_note(now, of(*forecast->curve->all_keep), is_short);
}

double peak_of(const plan::StepPrediction& predicted) {
  return static_cast<double>(predicted.peak_total_bytes);
}
double seconds_of(const plan::StepPrediction& predicted) { return predicted.seconds_per_step; }

Column peak_column(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  if (const auto predicted = prediction_for(frame, edit)) {
    const double peak = peak_of(*predicted);
    return {.name = "plan/figure/peak",
            .label = "Peak, predicted",
            .short_label = "Peak, pred.",
            .value = figure_bytes_text(predicted->peak_total_bytes),
            .note = predicted_note(frame, peak, peak_of, edit, false),
            .short_note = predicted_note(frame, peak, peak_of, edit, true)};
  }
  const auto& step = frame.run.last_step;
  return {.name = "plan/figure/peak",
          .label = "Peak, measured",
          .short_label = "Peak",
          .value = step.has_value() ? figure_bytes_text(step->peak_total_bytes) : kNone,
          .note = peak_note(frame.run, network, false),
          .short_note = peak_note(frame.run, network, true)};
}

Column time_column(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  if (const auto predicted = prediction_for(frame, edit)) {
    const double seconds = predicted->seconds_per_step;
    return {.name = "plan/figure/time",
            .label = "Step time, predicted",
            .short_label = "Step, pred.",
            .value = time_text(seconds),
            .note = predicted_note(frame, seconds, seconds_of, edit, false),
            .short_note = predicted_note(frame, seconds, seconds_of, edit, true)};
  }
  const auto& step = frame.run.last_step;
  return {.name = "plan/figure/time",
          .label = "Step time, measured",
          .short_label = "Step time",
          .value = step.has_value() ? time_text(step->total_seconds) : kNone,
          .note = step_time_note(frame.run, network, false),
          .short_note = step_time_note(frame.run, network, true)};
}

Column headroom_column(const Frame& frame, const PlanEdit& edit) {
  Column column{.name = "plan/figure/headroom",
                .label = "Headroom",
                .short_label = "Headroom",
                .value = kNone};
  const auto predicted = prediction_for(frame, edit);
  const bool is_known = predicted.has_value() || frame.run.facts != nullptr;
  const std::int64_t budget = is_known ? planned_budget(frame) : 0;
  if ((!predicted.has_value() && !frame.run.last_step.has_value()) || budget <= 0) return column;
  const std::int64_t peak =
      predicted.has_value() ? predicted->peak_total_bytes : frame.run.last_step->peak_total_bytes;
  const std::int64_t left = budget - std::max<std::int64_t>(0, peak);
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

float button_width(const Frame& frame) { return frame.is_small() ? 34 : 84; }

bool draw_undo(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  std::string refusal = network.refusal;
  if (refusal.empty() && !edit.can_undo()) refusal = "Nothing was changed yet.";
  return button(frame, "plan/undo", frame.is_small() ? "" : "Undo",
                {.icon = icon::kUndo,
                 .width = button_width(frame),
                 .refusal = refusal,
                 .tooltip = "Undo the last change of plan (Ctrl+Z)"});
}

/// The forecast's cheapest plan that fits, where it can be asked for.
std::string fit_refusal(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  if (!network.refusal.empty()) return network.refusal;
  const run::PlanForecast* const forecast = forecast_for(frame.shell, edit.plan().size());
  if (forecast == nullptr) return "Needs a calibration: see Plans below.";
  if (!forecast->cheapest.has_value()) {
    const std::optional<std::int64_t> least = forecast->least_bytes();
    return "No plan fits the budget" +
           (least.has_value() ? ": the least needs " + bytes_text(*least) + "." : ".");
  }
  if (forecast->cheapest->plan == edit.plan()) return "The plan is the cheapest that fits already.";
  return {};
}

bool draw_fit(const Frame& frame, const NetworkFacts& network, const PlanEdit& edit) {
  return button(frame, "plan/fit", frame.is_small() ? "" : "Fit",
                {.icon = icon::kAutoFix,
                 .width = button_width(frame),
                 .refusal = fit_refusal(frame, network, edit),
                 .tooltip = "Use the cheapest plan that fits the budget"});
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

PlanHeadTouch draw_plan_head(const Frame& frame, const NetworkFacts& network,
                             const PlanEdit& edit) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float button_room = frame.px(button_width(frame) + 8);
  const float room = std::max(1.0F, (width - button_room) / 3);
  const std::array<Column, 3> columns = {peak_column(frame, network, edit),
                                         time_column(frame, network, edit),
                                         headroom_column(frame, edit)};
  const float size = value_size(frame, columns, room - frame.px(10));
  float x = at.x;
  for (const Column& column : columns) {
    draw_column(frame, column, {x, at.y}, room - frame.px(10), size);
    x += room;
  }
  const float height = frame.px(13 + 4 + FontSize::kPlanFigure + 4 + 13 + 10);
  const float left = std::max(at.x, at.x + width - button_room + frame.px(8));
  PlanHeadTouch touch;
  ImGui::SetCursorScreenPos({left, at.y});
  touch.undoes = draw_undo(frame, network, edit);
  ImGui::SetCursorScreenPos({left, at.y + frame.px(32)});
  touch.fits = draw_fit(frame, network, edit);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  return touch;
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
