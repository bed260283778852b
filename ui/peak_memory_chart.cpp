#include "ui/peak_memory_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/chart_units.hpp"
#include "ui/curve.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/step_chart.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

std::int64_t budget_of(const run::RunSnapshot& run) {
  return run.facts == nullptr ? 0 : run.facts->budget_bytes;
}

struct PeakRange {
  double low = 0, high = 0;  ///< bytes
  bool shows_budget = false;
};

/// The budget belongs to the picture unless it would press the curve flat.
PeakRange range_of(const std::vector<CurvePoint>& points,
                   const std::vector<PredictedSteps>& predicted, std::int64_t budget_bytes) {
  PeakRange range{.low = std::numeric_limits<double>::infinity()};
  for (const CurvePoint& point : points) {
    range.low = std::min(range.low, point.low);
    range.high = std::max(range.high, point.high);
  }
  for (const PredictedSteps& steps : predicted) {
    const auto bytes = static_cast<double>(steps.predicted.peak_total_bytes);
    range.low = std::min(range.low, bytes);
    range.high = std::max(range.high, bytes);
  }
  if (points.empty()) range.low = 0;
  const auto budget = static_cast<double>(budget_bytes);
  constexpr double kFar = 1.6;
  range.shows_budget = budget_bytes > 0 && (range.high <= 0 || budget <= kFar * range.high);
  if (range.shows_budget) range.high = std::max(range.high, budget);
  return range;
}

/// `free_top`: share of the axis that stays free above the highest value.
ChartAxis bytes_axis(const PeakRange& range, double unit_bytes, double free_top) {
  const double high = range.high > 0 ? range.high / unit_bytes : 1;
  double low = range.low / unit_bytes;
  // A curve in the upper part begins at a round number below it.
  const double step = round_step((high - low) / 2);
  low = low > 0.5 * high ? std::max(0.0, std::floor(low / step - 0.5) * step) : 0;
  return linear_axis(low, low + (high - low) / (1 - free_top));
}

/// Dashed, a little above its place, so that it is seen where it meets what was measured.
void draw_predicted(const Frame& frame, const Chart& chart,
                    const std::vector<PredictedSteps>& predicted, double unit_bytes) {
  for (const PredictedSteps& steps : predicted) {
    const double level = static_cast<double>(steps.predicted.peak_total_bytes) / unit_bytes;
    const ImVec2 from = chart.pixel_of(static_cast<double>(steps.first_step), level);
    const ImVec2 to = chart.pixel_of(static_cast<double>(steps.last_step), level);
    draw_dashed_level(frame, chart.list(), {from.x, from.y - frame.px(2.5F)}, to.x,
                      frame.theme.text1);
  }
}

/// What lies above the budget is hatched.
void draw_budget(const Frame& frame, const Chart& chart, double budget) {
  const PixelBox& area = chart.area();
  const float y = chart.pixel_of(chart.x().low, budget).y;
  draw_hatch(frame, chart.list(), area.min, {area.max.x, std::min(y, area.max.y)},
             with_alpha(frame.theme.bad, 0.16F));
  draw_limit(frame, chart, budget);
}

/// Letters and the budget's label stand above the curve.
double free_top(const Frame& frame, const ChartPlace& place) {
  constexpr float kAxis = 22, kLetters = 24;
  const float plot = place.max.y - place.min.y - frame.px(kChartHeaderHeight + kAxis);
  return std::clamp(frame.px(kLetters) / std::max(1.0F, plot), 0.1F, 0.45F);
}

}  // namespace

void draw_peak_memory_chart(const Frame& frame, const ChartPlace& place) {
  const ChartAxis steps = step_axis(frame.run, end_label_share(frame, place));
  const std::vector<CurvePoint> points =
      decimated(frame.run.history.peak_total_bytes.buckets(), steps.low, steps.high,
                static_cast<int>(place.max.x - place.min.x));
  const std::int64_t budget = budget_of(frame.run);
  const std::vector<PredictedSteps> predicted =
      points.empty() ? std::vector<PredictedSteps>() : predicted_steps(frame);
  const PeakRange range = range_of(points, predicted, budget);
  const ChartUnit unit = byte_unit(range.high);
  std::vector<LegendEntry> legend;
  std::string unit_text = unit.name;
  if (!points.empty()) {
    legend.push_back({"measured", plain_text(points.back().high / unit.size), frame.theme.accent});
  }
  if (!predicted.empty()) {
    const auto bytes = static_cast<double>(predicted.back().predicted.peak_total_bytes);
    legend.push_back({"predicted", plain_text(bytes / unit.size), frame.theme.text1});
  }
  if (budget > 0 && !range.shows_budget) {
    unit_text += ", budget " + short_bytes_text(budget);
  }
  draw_chart_header(frame, place.min, place.max.x - place.min.x,
                    {.title = "Peak memory", .unit = unit_text, .legend = legend});
  const Chart chart(
      frame, {place.name, {place.min.x, place.min.y + frame.px(kChartHeaderHeight)}, place.max},
      steps, bytes_axis(range, unit.size, free_top(frame, place)));
  if (!chart.is_open()) return;
  Polyline stairs;
  for (const CurvePoint& point : points) stairs.add(point.step, point.high / unit.size);
  if (!stairs.empty()) {
    Polyline filled;
    for (std::size_t i = 0; i < stairs.xs.size(); ++i) {
      if (i > 0) filled.add(stairs.xs[i], stairs.ys[i - 1]);
      filled.add(stairs.xs[i], stairs.ys[i]);
    }
    const std::vector<double> base(filled.xs.size(), chart.y().low);
    plot_band("##fill", filled.xs, base, filled.ys, with_alpha(frame.theme.accent, 0.16F));
    plot_stairs(frame, "##peak", stairs, {frame.theme.accent, 2});
  }
  ImPlot::PushPlotClipRect();
  if (range.shows_budget) draw_budget(frame, chart, static_cast<double>(budget) / unit.size);
  draw_predicted(frame, chart, predicted, unit.size);
  ImPlot::PopPlotClipRect();
  ImPlot::PushPlotClipRect(frame.px(6));
  if (!stairs.empty()) {
    draw_end_dot(frame, chart, stairs.xs.back(), stairs.ys.back(), frame.theme.accent);
  }
  ImPlot::PopPlotClipRect();
  draw_step_overlay(frame, chart, MarkLetters::shown);
}

}  // namespace headroom::ui
