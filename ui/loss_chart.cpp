#include "ui/loss_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/curve.hpp"
#include "ui/number_text.hpp"
#include "ui/step_chart.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

struct LossCurves {
  std::vector<CurvePoint> raw{};
  std::vector<StepValue> smooth{};
  Polyline validation{};
};

Smoothing smoothing_of(const Frame& frame) {
  return {.weight = frame.preferences.smoothing,
          .scale = frame.preferences.loss_is_log ? AxisScale::logarithmic : AxisScale::linear};
}

LossCurves curves_of(const Frame& frame, const ChartAxis& steps, int columns) {
  const auto& buckets = frame.run.history.loss.buckets();
  LossCurves curves{
      .raw = decimated(buckets, steps.low, steps.high, columns),
      .smooth = smoothed(buckets, smoothing_of(frame), steps.low, steps.high, columns)};
  for (const run::ValidationReport& report : frame.run.validations) {
    if (!std::isfinite(report.loss)) continue;
    if (frame.preferences.loss_is_log && report.loss <= 0) continue;
    curves.validation.add(static_cast<double>(report.step), report.loss);
  }
  return curves;
}

/// All of what was smoothed and validated, and of the raw values those that are not far outside.
ChartAxis loss_axis(const LossCurves& curves, bool is_log) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto widen = [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const StepValue& point : curves.smooth) widen(point.value);
  for (const double value : curves.validation.ys) widen(value);
  if (low > high) return is_log ? log_axis(0.1, 1) : linear_axis(0, 1);
  constexpr double kFar = 3;
  const double lowest = low / kFar, highest = high * kFar;
  for (const CurvePoint& point : curves.raw) {
    if (point.low > 0 || !is_log) low = std::min(low, std::max(point.low, lowest));
    high = std::max(high, std::min(point.high, highest));
  }
  if (is_log) return log_axis(low / 1.15, high * 1.15);
  return linear_axis(std::min(0.0, low), high + 0.05 * (high - std::min(0.0, low)));
}

/// Down and up in every column.
Polyline envelope(const std::vector<CurvePoint>& points, const ChartAxis& y) {
  Polyline line;
  for (const CurvePoint& point : points) {
    line.add(point.step, std::clamp(point.low, y.low, y.high));
    if (point.high > point.low) line.add(point.step, std::clamp(point.high, y.low, y.high));
  }
  return line;
}

Polyline line_of(const std::vector<StepValue>& points) {
  Polyline line;
  for (const StepValue& point : points) line.add(point.step, point.value);
  return line;
}

void draw_validation(const Frame& frame, const Chart& chart, const Polyline& line,
                     const ImVec4& colour) {
  plot_line(frame, "##validation", line, {colour, 1.5F});
  float last = -std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < line.xs.size(); ++i) {
    const ImVec2 at = chart.pixel_of(line.xs[i], line.ys[i]);
    if (at.x - last < frame.px(7)) continue;
    last = at.x;
    chart.list().AddCircleFilled(at, frame.px(2.2F), packed(colour));
  }
}

void draw_scale_switch(const Frame& frame, const PixelBox& unit) {
  const Hit hit = hit_area(frame, "training/loss/scale", unit.min, unit.max,
                           frame.preferences.loss_is_log ? "log" : "linear");
  tooltip(frame, frame.preferences.loss_is_log ? "Show a linear axis" : "Show a logarithmic axis");
  if (hit.hovered) {
    ImGui::GetWindowDrawList()->AddLine({unit.min.x, unit.max.y}, unit.max,
                                        packed(frame.theme.text3), frame.px(1));
  }
  if (hit.pressed) frame.preferences.loss_is_log = !frame.preferences.loss_is_log;
}

void draw_curves(const Frame& frame, const Chart& chart, const LossCurves& curves,
                 const ImVec4& validation_colour) {
  const ImVec4& accent = frame.theme.accent;
  plot_line(frame, "##raw", envelope(curves.raw, chart.y()), {with_alpha(accent, 0.28F), 1});
  plot_line(frame, "##smooth", line_of(curves.smooth), {accent, 2});
  ImPlot::PushPlotClipRect(frame.px(6));
  draw_validation(frame, chart, curves.validation, validation_colour);
  if (!curves.smooth.empty()) {
    draw_end_dot(frame, chart, curves.smooth.back().step, curves.smooth.back().value, accent);
  }
  ImPlot::PopPlotClipRect();
}

}  // namespace

double smoothed_loss(const Frame& frame) {
  const auto points = smoothed(frame.run.history.loss.buckets(), smoothing_of(frame), 0, 1, 1);
  return points.empty() ? std::numeric_limits<double>::quiet_NaN() : points.back().value;
}

void draw_loss_chart(const Frame& frame, const ChartPlace& place) {
  const bool is_log = frame.preferences.loss_is_log;
  const ChartAxis steps = step_axis(frame.run, end_label_share(frame, place));
  const LossCurves curves = curves_of(frame, steps, static_cast<int>(place.max.x - place.min.x));
  const ImVec4& orange = frame.theme.policy[static_cast<std::size_t>(plan::Policy::full)];
  std::vector<LegendEntry> legend;
  if (!curves.smooth.empty()) {
    legend.push_back({"training", measured_text(curves.smooth.back().value), frame.theme.accent});
  }
  if (!curves.validation.empty()) {
    legend.push_back({"validation", measured_text(curves.validation.ys.back()), orange});
  }
  const PixelBox unit =
      draw_chart_header(frame, place.min, place.max.x - place.min.x,
                        {.title = "Loss", .unit = is_log ? "log" : "linear", .legend = legend});
  draw_scale_switch(frame, unit);
  const Chart chart(
      frame, {place.name, {place.min.x, place.min.y + frame.px(kChartHeaderHeight)}, place.max},
      steps, loss_axis(curves, is_log));
  if (!chart.is_open()) return;
  draw_curves(frame, chart, curves, orange);
  draw_step_overlay(frame, chart);
}

}  // namespace headroom::ui
