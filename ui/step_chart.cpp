#include "ui/step_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/log_text.hpp"
#include "ui/memory_marks.hpp"
#include "ui/number_text.hpp"
#include "ui/step_values.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kMarkReach = 4;     ///< design pixels left and right of a mark that hover it
constexpr float kClosestMarks = 3;  ///< marks nearer to the one before are not drawn
constexpr float kLetterHeight = 16;

const std::vector<std::string>& stages_of(const run::RunSnapshot& run,
                                          const std::vector<std::string>& none) {
  return run.facts == nullptr ? none : run.facts->stages;
}

/// The run goes on with it, and has begun it since it was opened.
bool is_to_be_measured(const run::RunSnapshot& run, std::size_t index) {
  const run::PlanMark& mark = run.plan_marks[index];
  const std::int64_t before = run.facts == nullptr ? 0 : run.facts->first_step;
  return !mark.effect.has_value() && index + 1 == run.plan_marks.size() && mark.step > before;
}

/// "Plan B: dec2 Full" and what it did.
void mark_tooltip(const Frame& frame, std::size_t index) {
  const run::PlanMark& mark = frame.run.plan_marks[index];
  const std::vector<std::string> none;
  const std::vector<std::string>& stages = stages_of(frame.run, none);
  plan::StepForm before{.tiles_at_once = mark.tiles_at_once};
  if (index > 0) {
    before = frame.run.plan_marks[index - 1].form();
  } else if (mark.effect.has_value()) {
    before = {mark.effect->before, mark.effect->tiles_at_once_before};
  }
  std::vector<ValueRow> rows{{"from step", count_text(mark.step)}};
  if (mark.cause == run::PlanCause::out_of_memory)
    rows.push_back({"because", "out of memory", frame.theme.bad});
  if (mark.effect.has_value()) {
    const run::PlanMeasured& effect = *mark.effect;
    rows.push_back({"peak, measured", bytes_change_text(effect.peak_total_bytes_after -
                                                        effect.peak_total_bytes_before)});
    rows.push_back({"step, measured",
                    time_change_text(effect.step_seconds_after - effect.step_seconds_before)});
  }
  value_tooltip(frame,
                "Plan " + run::letters_of(mark.number) + ": " +
                    run::describe_form_change(before, mark.form(), stages),
                rows,
                is_to_be_measured(frame.run, index)
                    ? "Its effect is told once enough steps ran with it."
                    : "");
}

ImVec4 line_colour(const Frame& frame, const run::PlanMark& mark) {
  return mark.cause == run::PlanCause::out_of_memory ? frame.theme.bad : frame.theme.text3;
}

void draw_letter(const Frame& frame, const Chart& chart, float x, const run::PlanMark& mark,
                 bool is_hovered) {
  const std::string letters = run::letters_of(mark.number);
  const bool is_red = mark.cause == run::PlanCause::out_of_memory && !is_hovered;
  const TextStyle style{.size = FontSize::kLabel - 1,
                        .weight = Weight::semibold,
                        .colour = is_red ? frame.theme.bg1 : frame.theme.text2};
  const float half = std::max(frame.px(8), text_size(frame, letters, style).x / 2 + frame.px(4));
  const float top = chart.area().min.y + frame.px(2);
  ImDrawList& list = chart.list();
  const ImVec4& rest = is_red ? frame.theme.bad : frame.theme.bg3;
  list.AddRectFilled({x - half, top}, {x + half, top + frame.px(kLetterHeight)},
                     packed(is_hovered ? frame.theme.bg4 : rest), frame.px(3));
  draw_text(frame, list, {x, top + frame.px(2)}, letters, style, Align::centre);
}

/// Draws the marks; returns the index of the hovered one, or how many there are.
std::size_t draw_marks(const Frame& frame, const Chart& chart, MarkLetters letters) {
  const std::vector<run::PlanMark>& marks = frame.run.plan_marks;
  const float mouse = ImGui::GetIO().MousePos.x;
  std::size_t hovered = marks.size();
  float nearest = frame.px(kMarkReach);
  float last_line = -std::numeric_limits<float>::max();
  float last_letter = last_line;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].number < 1) continue;
    const float x = chart.pixel_of(static_cast<double>(marks[i].step), chart.y().low).x;
    if (!(x >= chart.area().min.x && x <= chart.area().max.x)) continue;
    const bool is_near = chart.is_hovered() && std::abs(mouse - x) <= nearest;
    if (is_near) {
      nearest = std::abs(mouse - x);
      hovered = i;
    }
    if (x - last_line >= frame.px(kClosestMarks)) {
      const float top = letters == MarkLetters::shown ? frame.px(kLetterHeight + 3) : 0;
      draw_dashed(frame, chart.list(), {x, chart.area().min.y + top}, {x, chart.area().max.y},
                  is_near ? frame.theme.text1 : line_colour(frame, marks[i]));
      last_line = x;
    }
    if (letters == MarkLetters::shown && x - last_letter >= frame.px(20)) {
      draw_letter(frame, chart, x, marks[i], is_near);
      last_letter = x;
    }
  }
  return hovered;
}

void draw_cursor(const Frame& frame, const Chart& chart, std::int64_t step) {
  const float x = std::floor(chart.pixel_of(static_cast<double>(step), chart.y().low).x) + 0.5F;
  chart.list().AddLine({x, chart.area().min.y}, {x, chart.area().max.y},
                       packed(with_alpha(frame.theme.text2, 0.7F)), frame.px(1));
}

/// The last step that the run will have, or has; 0: not known.
std::int64_t last_step(const run::RunSnapshot& run) {
  std::int64_t last = run.steps_done;
  if (run.facts != nullptr) {
    last = std::max(last, run.facts->steps);
  } else if (run.request.has_value()) {
    last = std::max(last, run.request->settings.train.steps);
  }
  const auto& buckets = run.history.step_seconds.buckets();
  return buckets.empty() ? last : std::max(last, buckets.back().last_step);
}

}  // namespace

ChartAxis step_axis(const run::RunSnapshot& run, double label_share) {
  const std::int64_t last = last_step(run);
  if (last > 0) {
    ChartAxis axis = linear_axis(0, static_cast<double>(last));
    const double done = static_cast<double>(run.steps_done);
    axis.high = std::max(axis.high, done / (1 - std::clamp(label_share, 0.0, 0.5)));
    return axis;
  }
  ChartAxis axis = linear_axis(0, 1);
  axis.ticks.clear();
  return axis;
}

double end_label_share(const Frame& frame, const ChartPlace& place) {
  constexpr float kLabels = 48, kAxisLabels = 36;
  const float width = place.max.x - place.min.x - frame.px(kAxisLabels);
  return width > 0 ? frame.px(kLabels) / width : 0;
}

void draw_step_overlay(const Frame& frame, const Chart& chart, MarkLetters letters) {
  ImPlot::PushPlotClipRect();
  const run::MemoryRelief* const relief = draw_memory_marks(
      frame, chart, letters == MarkLetters::shown ? MarkRecord::named : MarkRecord::none);
  const std::size_t mark = draw_marks(frame, chart, letters);
  if (frame.shared.cursor_step.has_value()) draw_cursor(frame, chart, *frame.shared.cursor_step);
  ImPlot::PopPlotClipRect();
  if (!chart.is_hovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double at = ImPlot::PixelsToPlot(mouse).x;
  const std::int64_t step =
      std::clamp(std::llround(std::clamp(at, chart.x().low, chart.x().high)), 0LL,
                 static_cast<long long>(std::max<std::int64_t>(1, last_step(frame.run))));
  frame.shared.next_cursor_step = step;
  if (mark < frame.run.plan_marks.size()) {
    mark_tooltip(frame, mark);
    return;
  }
  if (relief != nullptr) {
    memory_mark_tooltip(frame, *relief);
    return;
  }
  const std::vector<ValueRow> rows = values_at(frame, step);
  if (!rows.empty()) value_tooltip(frame, "Step " + count_text(step), rows);
}

}  // namespace headroom::ui
