#include "ui/plan_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/plan/plan_explanation.hpp"
#include "ui/chart_units.hpp"
#include "ui/number_text.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kReach = 14;  ///< design pixels from the mouse to a point
constexpr float kDim = 0.45F;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void add(double value) {
    if (!std::isfinite(value) || value < 0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// With some of its width on either side.
  [[nodiscard]] ChartAxis axis(double unit) const {
    if (!(low <= high)) return linear_axis(0, 1);
    const double room = std::max(0.08 * (high - low), 0.02 * high);
    return linear_axis(std::max(0.0, low - room) / unit, (high + room) / unit);
  }
};

struct Scales {
  Range bytes{}, seconds{};
};

double bytes_of(const plan::StepPrediction& predicted) {
  return static_cast<double>(predicted.peak_total_bytes);
}

/// The curve and what was measured; other plans only as far as they come near.
Scales scales_of(const PlanChartContent& content) {
  Scales scales;
  const auto add = [&](double bytes, double seconds) {
    scales.bytes.add(bytes);
    scales.seconds.add(seconds);
  };
  for (const plan::PlanChoice& point : content.forecast.curve->trade_off.points)
    add(bytes_of(point.predicted), point.predicted.seconds_per_step);
  if (const auto asked = content.forecast.asked()) add(bytes_of(*asked), asked->seconds_per_step);
  for (const MeasuredPlan& measured : content.measured)
    add(static_cast<double>(measured.peak_bytes), measured.step_seconds);
  if (scales.seconds.high > 0) {
    const double width = scales.seconds.high - scales.seconds.low;
    scales.seconds.add(scales.seconds.high + 0.25 * width);
  }
  const auto budget = static_cast<double>(content.budget_bytes);
  if (budget > 0 && budget < 1.25 * scales.bytes.high) scales.bytes.add(budget);
  return scales;
}

class Drawing {
 public:
  Drawing(const Frame& frame, const PlanChartContent& content, const Chart& chart,
          const ChartUnit& bytes, const ChartUnit& seconds)
      : frame_(frame), content_(content), chart_(chart), bytes_(bytes), seconds_(seconds) {}

  [[nodiscard]] ImVec2 pixel(double bytes, double seconds) const {
    return chart_.pixel_of(bytes / bytes_.size, seconds / seconds_.size);
  }
  [[nodiscard]] ImVec2 pixel(const plan::StepPrediction& predicted) const {
    return pixel(bytes_of(predicted), predicted.seconds_per_step);
  }

  void draw_others() const {
    ImDrawList& list = chart_.list();
    const float half = frame_.px(1);
    for (const plan::StepPrediction& other : content_.forecast.curve->others) {
      const ImVec2 at = pixel(other);
      list.AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half},
                         packed(with_alpha(frame_.theme.text3, 0.5F * dimming(bytes_of(other)))));
    }
  }

  /// Stairs: a plan holds for every budget up to the next one's peak.
  void draw_curve() const {
    Polyline within, beyond;
    for (const plan::PlanChoice& point : content_.forecast.curve->trade_off.points) {
      const double bytes = bytes_of(point.predicted);
      const double x = bytes / bytes_.size;
      const double y = point.predicted.seconds_per_step / seconds_.size;
      if (dimming(bytes) == 1) {
        within.add(x, y);
        continue;
      }
      if (beyond.empty() && !within.empty()) {
        const double at = usable_bytes() / bytes_.size;
        within.add(at, within.ys.back());
        beyond.add(at, within.ys.back());
      }
      beyond.add(x, y);
    }
    Polyline& last = beyond.empty() ? within : beyond;
    if (!last.empty()) last.add(chart_.x().high, last.ys.back());
    plot_stairs(frame_, "##within", within, {frame_.theme.accent, 2});
    plot_stairs(frame_, "##beyond", beyond, {with_alpha(frame_.theme.accent, kDim), 2});
  }

  void draw_budget() const {
    if (content_.budget_bytes <= 0) return;
    const PixelBox& area = chart_.area();
    const float x = pixel(static_cast<double>(content_.budget_bytes), 0).x;
    if (x < area.min.x || x > area.max.x) return;
    draw_dashed(frame_, chart_.list(), {x, area.min.y}, {x, area.max.y}, frame_.theme.text2);
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text2};
    const float width = text_size(frame_, "budget", style).x;
    const bool is_left = x + width + frame_.px(6) > area.max.x;
    draw_text(frame_, chart_.list(), {x + frame_.px(is_left ? -6 : 6), area.min.y}, "budget", style,
              is_left ? Align::right : Align::left);
  }

  /// What was measured, with a line from where it was predicted.
  void draw_measured() const {
    ImDrawList& list = chart_.list();
    for (const MeasuredPlan& measured : content_.measured) {
      const ImVec2 at = pixel(static_cast<double>(measured.peak_bytes), measured.step_seconds);
      if (const auto predicted = prediction_of(frame_.shell, measured.plan))
        list.AddLine(pixel(*predicted), at, packed(with_alpha(frame_.theme.ok, 0.7F)),
                     frame_.px(1.5F));
      list.AddCircleFilled(at, frame_.px(4), packed(frame_.theme.bg1));
      list.AddCircleFilled(at, frame_.px(3), packed(frame_.theme.ok));
    }
  }

  void draw_asked() const {
    const auto asked = content_.forecast.asked();
    if (!asked.has_value()) return;
    const ImVec2 at = pixel(*asked);
    chart_.list().AddCircleFilled(at, frame_.px(5.5F), packed(frame_.theme.bg1));
    chart_.list().AddCircle(at, frame_.px(4.5F), packed(frame_.theme.text1), 0, frame_.px(2));
    frame_.record("plans/chosen", {at.x - 4, at.y - 4}, {at.x + 4, at.y + 4}, true,
                  words_of(*asked));
  }

  /// For the probe, which finds points by their numbers.
  void record_points() const {
    if (frame_.probe == nullptr) return;
    const auto shown = plan::thinned(content_.forecast.curve->trade_off.points, 1.02);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const ImVec2 at = pixel(shown[i].predicted);
      frame_.record(fmt::format("plans/point/{}", i), {at.x - 1, at.y - 1}, {at.x + 1, at.y + 1},
                    true, words_of(shown[i].predicted));
    }
  }

  /// The curve's point nearest to the mouse; null where none is within reach.
  [[nodiscard]] const plan::PlanChoice* nearest_point() const {
    const plan::PlanChoice* nearest = nullptr;
    float least = frame_.px(kReach);
    for (const plan::PlanChoice& point : content_.forecast.curve->trade_off.points) {
      const float apart = distance_to_mouse(pixel(point.predicted));
      if (apart >= least) continue;
      least = apart;
      nearest = &point;
    }
    return nearest;
  }

  [[nodiscard]] const MeasuredPlan* nearest_measured() const {
    const MeasuredPlan* nearest = nullptr;
    float least = frame_.px(kReach / 2);
    for (const MeasuredPlan& each : content_.measured) {
      const float apart =
          distance_to_mouse(pixel(static_cast<double>(each.peak_bytes), each.step_seconds));
      if (apart >= least) continue;
      least = apart;
      nearest = &each;
    }
    return nearest;
  }

  void mark(const plan::PlanChoice& point) const {
    chart_.list().AddCircle(pixel(point.predicted), frame_.px(5), packed(frame_.theme.accent), 0,
                            frame_.px(2));
  }

 private:
  /// With the margin kept free.
  [[nodiscard]] double usable_bytes() const {
    const plan::FitLimits limits = run::forecast_limits(content_.budget_bytes);
    return static_cast<double>(limits.usable_bytes() - limits.margin_bytes);
  }
  /// 1 within the budget.
  [[nodiscard]] float dimming(double bytes) const {
    return content_.budget_bytes > 0 && bytes > usable_bytes() ? kDim : 1;
  }
  [[nodiscard]] static float distance_to_mouse(const ImVec2& at) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return std::hypot(mouse.x - at.x, mouse.y - at.y);
  }
  [[nodiscard]] static std::string words_of(const plan::StepPrediction& predicted) {
    return bytes_text(predicted.peak_total_bytes) + ", " + time_text(predicted.seconds_per_step) +
           ", predicted";
  }

  const Frame& frame_;
  const PlanChartContent& content_;
  const Chart& chart_;
  ChartUnit bytes_, seconds_;
};

std::string error_text(double measured, double predicted) {
  if (!(predicted > 0)) return {};
  const double share = measured / predicted - 1;
  return fmt::format(" ({}{})", share > 0 ? "+" : "", percent_text(share));
}

/// "enc1 Full saves 310.0 MiB for 4 ms", for the plan of a point.
std::string effects_note(const run::PlanForecast& forecast, const plan::Plan& plan) {
  constexpr std::size_t kMost = 4;
  const std::vector<std::string>& stages = forecast.question.costs->stages;
  std::string note;
  if (forecast.question.plans.empty() || forecast.question.plans.front() != plan) return note;
  std::vector<plan::PolicyEffect> effects = forecast.effects;
  std::ranges::stable_sort(effects, std::ranges::greater{}, &plan::PolicyEffect::saved_bytes);
  for (std::size_t i = 0; i < std::min(effects.size(), kMost); ++i) {
    if (i > 0) note += '\n';
    note += plan::effect_sentence(effects[i], stages);
  }
  return note;
}

void tell_measured(const Frame& frame, const PlanChartContent& content,
                   const MeasuredPlan& measured) {
  const auto predicted = prediction_of(frame.shell, measured.plan);
  std::string peak = bytes_text(measured.peak_bytes);
  std::string time = time_text(measured.step_seconds);
  std::vector<ValueRow> rows = {{"Peak, measured", peak}, {"Step, measured", time}};
  if (predicted.has_value()) {
    rows.push_back({"Peak, predicted", bytes_text(predicted->peak_total_bytes) +
                                           error_text(bytes_of(*predicted),
                                                      static_cast<double>(measured.peak_bytes))});
    rows.push_back(
        {"Step, predicted", time_text(predicted->seconds_per_step) +
                                error_text(predicted->seconds_per_step, measured.step_seconds)});
  }
  value_tooltip(frame, plan_words(measured.plan, content.forecast.question.costs->stages), rows,
                effects_note(content.forecast, measured.plan));
}

void tell_point(const Frame& frame, const PlanChartContent& content, const plan::PlanChoice& point,
                const std::string& refusal) {
  const std::vector<ValueRow> rows = {
      {"Peak, predicted", bytes_text(point.predicted.peak_total_bytes)},
      {"Step, predicted", time_text(point.predicted.seconds_per_step)}};
  const std::string note = effects_note(content.forecast, point.plan);
  value_tooltip(frame, plan_words(point.plan, content.forecast.question.costs->stages), rows,
                !note.empty()     ? note
                : refusal.empty() ? "Click to use this plan"
                                  : refusal);
}

/// Where the budget stands in the chart; pixels to bytes.
struct BudgetLine {
  float x = 0;           ///< pixels
  double low = 0;        ///< bytes at `left`
  float left = 0;        ///< pixels
  double per_pixel = 0;  ///< bytes

  BudgetLine() = default;
  BudgetLine(const Chart& chart, const ChartUnit& unit, std::int64_t budget_bytes)
      : x(chart.pixel_of(static_cast<double>(budget_bytes) / unit.size, chart.y().low).x),
        low(chart.x().low * unit.size),
        left(chart.area().min.x),
        per_pixel((chart.x().high - chart.x().low) * unit.size /
                  std::max(1.0F, chart.area().max.x - chart.area().min.x)) {}

  [[nodiscard]] double bytes_at(float pixel) const {
    return low + static_cast<double>(pixel - left) * per_pixel;
  }
};

/// The bytes at the mouse while the line is held.
std::optional<double> drag_budget(const Frame& frame, const BudgetLine& line, const PixelBox& area,
                                  std::int64_t budget_bytes, const std::string& refusal) {
  const float half = frame.px(5);
  if (budget_bytes <= 0 || !(line.x - half >= area.min.x && line.x + half <= area.max.x))
    return std::nullopt;
  const Hit hit = hit_area(frame, "plans/budget", {line.x - half, area.min.y},
                           {line.x + half, area.max.y}, bytes_text(budget_bytes), refusal);
  if (!refusal.empty()) return std::nullopt;
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!hit.held || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) return std::nullopt;
  return line.bytes_at(std::clamp(ImGui::GetIO().MousePos.x, area.min.x, area.max.x));
}

std::vector<LegendEntry> legend_of(const Frame& frame, const PlanChartContent& content) {
  std::vector<LegendEntry> legend = {{"cheapest for a budget", "", frame.theme.accent}};
  if (!content.measured.empty()) legend.push_back({"measured", "", frame.theme.ok, true});
  legend.push_back({"plan", "", with_alpha(frame.theme.text3, 0.8F), true});
  return legend;
}

}  // namespace

std::string plan_words(const plan::Plan& plan, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  std::string words;
  std::size_t shown = 0;
  const auto others = static_cast<std::size_t>(
      std::ranges::count_if(plan, [](plan::Policy each) { return each != plan::Policy::keep; }));
  for (std::size_t stage = 0; stage < std::min(plan.size(), names.size()); ++stage) {
    if (plan[stage] == plan::Policy::keep) continue;
    if (shown == kMost) return words + fmt::format(" and {} more", others - shown);
    words += (shown++ > 0 ? ", " : "") + names[stage] + " " + plan::title_of(plan[stage]);
  }
  return words.empty() ? "all Keep" : words;
}

PlanChartTouch draw_plan_chart(const Frame& frame, const ChartPlace& place,
                               const PlanChartContent& content, const std::string& refusal) {
  const Scales scales = scales_of(content);
  const ChartUnit bytes = byte_unit(scales.bytes.high);
  const ChartUnit seconds = time_unit(scales.seconds.high);
  const std::vector<LegendEntry> legend = legend_of(frame, content);
  draw_chart_header(frame, place.min, place.max.x - place.min.x,
                    {.title = "Plans",
                     .unit = fmt::format("predicted peak {}, step {}", bytes.name, seconds.name),
                     .legend = legend});
  PixelBox area;
  BudgetLine line;
  const plan::PlanChoice* point = nullptr;
  const MeasuredPlan* measured = nullptr;
  {
    const Chart chart(
        frame, {place.name, {place.min.x, place.min.y + frame.px(kChartHeaderHeight)}, place.max},
        scales.bytes.axis(bytes.size), scales.seconds.axis(seconds.size));
    if (!chart.is_open()) return {};
    area = chart.area();
    line = BudgetLine(chart, bytes, content.budget_bytes);
    const Drawing drawing(frame, content, chart, bytes, seconds);
    ImPlot::PushPlotClipRect();
    drawing.draw_others();
    ImPlot::PopPlotClipRect();
    drawing.draw_curve();
    ImPlot::PushPlotClipRect(frame.px(6));
    drawing.draw_budget();
    drawing.draw_measured();
    drawing.draw_asked();
    // The chart is not hovered while a button on it is held, nor in the frame that lets it go.
    if (ImGui::IsMouseHoveringRect(area.min, area.max)) {
      measured = drawing.nearest_measured();
      point = drawing.nearest_point();
    }
    if (point != nullptr && chart.is_hovered()) drawing.mark(*point);
    ImPlot::PopPlotClipRect();
    drawing.record_points();
  }
  PlanChartTouch touch;
  // Before the curve, so that the mouse finds it.
  touch.dragged_budget = drag_budget(frame, line, area, content.budget_bytes, refusal);
  const std::string words =
      refusal.empty() ? std::string("Click a point of the curve to use its plan") : std::string();
  const Hit hit = hit_area(frame, "plans/curve", area.min, area.max, words, refusal);
  if (measured != nullptr && hit.hovered) {
    tell_measured(frame, content, *measured);
  } else if (point != nullptr && hit.hovered) {
    tell_point(frame, content, *point, refusal);
  }
  if (hit.pressed && point != nullptr) touch.pressed = point->plan;
  return touch;
}

}  // namespace headroom::ui
