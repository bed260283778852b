#include "ui/step_time_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/chart_units.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/step_chart.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using plan::Phase;

constexpr std::array<const char*, kStepParts> kNames = {"forward", "backward", "recompute",
                                                        "optimizer", "data"};
constexpr std::array<Phase, kStepParts> kColours = {
    Phase::forward, Phase::backward, Phase::recompute, Phase::optimizer, Phase::data};
constexpr float kSoft = 0.42F;  ///< alpha of forward and backward

StepPart part_of(Phase phase) {
  switch (phase) {
    case Phase::backward:
      return StepPart::backward;
    case Phase::recompute:
      return StepPart::recompute;
    case Phase::optimizer:
      return StepPart::optimizer;
    case Phase::data:
      return StepPart::data;
    default:
      return StepPart::forward;
  }
}

constexpr std::array<Phase, 6> kPhasesOfStep = {
    Phase::data, Phase::forward, Phase::loss, Phase::backward, Phase::recompute, Phase::optimizer};

using PartSeconds = std::array<double, kStepParts>;

/// Sums over the steps of bucket `index`; false where some have no finite time.
bool add_bucket(const run::StepHistory& history, std::size_t index, PartSeconds& sums) {
  PartSeconds added{};
  for (const Phase phase : kPhasesOfStep) {
    const auto& buckets = history.phase_seconds[static_cast<std::size_t>(phase)].buckets();
    if (index >= buckets.size() || !std::isfinite(buckets[index].sum)) return false;
    added[static_cast<std::size_t>(part_of(phase))] += std::max(0.0, buckets[index].sum);
  }
  for (std::size_t part = 0; part < kStepParts; ++part) sums[part] += added[part];
  return true;
}

void close_column(StackedSteps& stacked, const PartSeconds& sums, double step, std::int64_t count) {
  if (count == 0) return;
  stacked.steps.push_back(step);
  double upper = 0;
  for (std::size_t part = 0; part < kStepParts; ++part) {
    upper += sums[part] / static_cast<double>(count);
    stacked.upper[part].push_back(upper);
  }
}

/// Nearly all steps, and the last one; a few that were slow do not press the others flat.
double highest_shown(const StackedSteps& stacked) {
  std::vector<double> totals = stacked.upper.back();
  if (totals.empty()) return 0;
  const double last = totals.back();
  const auto place = static_cast<std::ptrdiff_t>(0.97 * static_cast<double>(totals.size() - 1));
  std::nth_element(totals.begin(), totals.begin() + place, totals.end());
  return std::max(totals[static_cast<std::size_t>(place)], last);
}

double latest_of(const StackedSteps& stacked, std::size_t part) {
  if (stacked.steps.empty()) return 0;
  return stacked.upper[part].back() - (part == 0 ? 0 : stacked.upper[part - 1].back());
}

ImVec4 colour_of(const Frame& frame, std::size_t part) {
  return frame.theme.phase[static_cast<std::size_t>(kColours[part])];
}

bool is_soft(std::size_t part) { return part <= static_cast<std::size_t>(StepPart::backward); }

void draw_bands(const Frame& frame, const StackedSteps& stacked) {
  const std::vector<double> zero(stacked.steps.size(), 0);
  for (std::size_t part = 0; part < kStepParts; ++part) {
    const std::vector<double>& lower = part == 0 ? zero : stacked.upper[part - 1];
    const ImVec4 colour = colour_of(frame, part);
    plot_band(fmt::format("##{}", part).c_str(), stacked.steps, lower, stacked.upper[part],
              is_soft(part) ? with_alpha(colour, kSoft) : colour);
    if (is_soft(part)) {
      plot_line(frame, fmt::format("##edge{}", part).c_str(),
                {.xs = stacked.steps, .ys = stacked.upper[part]}, {colour, 1.5F});
    }
  }
}

/// Names inside the two large bands, where these are high enough, and values beside their ends.
void draw_labels(const Frame& frame, const Chart& chart, const StackedSteps& stacked,
                 const ChartUnit& unit) {
  std::vector<EndLabel> labels;
  const auto text_of = [&](double seconds) { return plain_text(seconds / unit.size); };
  const double left = stacked.steps.front();
  for (std::size_t part = 0; part < kStepParts && is_soft(part); ++part) {
    const double below = part == 0 ? 0 : stacked.upper[part - 1].back();
    const double middle = (below + stacked.upper[part].back()) / 2;
    const float height =
        chart.pixel_of(left, below).y - chart.pixel_of(left, stacked.upper[part].back()).y;
    if (height < frame.px(16)) continue;
    labels.push_back({middle, text_of(latest_of(stacked, part)), frame.theme.text2});
    const ImVec2 at = chart.pixel_of(left, middle);
    const TextStyle style{.size = FontSize::kLabel};
    const float end = chart.pixel_of(stacked.steps.back(), middle).x;
    if (end - at.x < text_size(frame, kNames[part], style).x + frame.px(16)) continue;
    draw_text(frame, chart.list(), {at.x + frame.px(8), at.y - frame.px(FontSize::kLabel / 2)},
              kNames[part], style);
  }
  labels.push_back({.value = stacked.upper.back().back(),
                    .text = text_of(stacked.upper.back().back()),
                    .colour = frame.theme.text1,
                    .is_strong = true});
  draw_end_labels(frame, chart, stacked.steps.back(), std::move(labels));
}

/// What steps were predicted to take, without waiting for data.
void draw_predicted(const Frame& frame, const Chart& chart,
                    const std::vector<PredictedSteps>& predicted, double unit_seconds) {
  for (const PredictedSteps& steps : predicted) {
    const double level = steps.predicted.seconds_per_step / unit_seconds;
    const ImVec2 from = chart.pixel_of(static_cast<double>(steps.first_step), level);
    const ImVec2 to = chart.pixel_of(static_cast<double>(steps.last_step), level);
    draw_dashed_level(frame, chart.list(), from, to.x, frame.theme.text1);
  }
}

/// Seconds become the chart's unit.
void scale(StackedSteps& stacked, double unit_seconds) {
  for (std::vector<double>& upper : stacked.upper) {
    for (double& value : upper) value /= unit_seconds;
  }
}

}  // namespace

StackedSteps stacked_steps(const run::StepHistory& history, double first, double last,
                           int columns) {
  StackedSteps stacked;
  const auto& buckets = history.step_seconds.buckets();
  const double per_step = last > first ? std::max(1, columns) / (last - first) : 0;
  PartSeconds sums{};
  std::int64_t count = 0, column = -1;
  double begin = 0, end = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const double middle =
        (static_cast<double>(buckets[i].first_step) + static_cast<double>(buckets[i].last_step)) /
        2;
    const auto here = static_cast<std::int64_t>(std::floor((middle - first) * per_step));
    if (here != column) {
      close_column(stacked, sums, (begin + end) / 2, count);
      sums = {};
      count = 0;
      column = here;
      begin = middle;
    }
    end = middle;
    if (add_bucket(history, i, sums)) count += std::max<std::int64_t>(0, buckets[i].count);
  }
  close_column(stacked, sums, (begin + end) / 2, count);
  return stacked;
}

void draw_step_time_chart(const Frame& frame, const ChartPlace& place) {
  const ChartAxis steps = step_axis(frame.run, end_label_share(frame, place));
  StackedSteps stacked = stacked_steps(frame.run.history, steps.low, steps.high,
                                       static_cast<int>(place.max.x - place.min.x));
  const std::vector<PredictedSteps> predicted =
      stacked.steps.empty() ? std::vector<PredictedSteps>() : predicted_steps(frame);
  double highest = highest_shown(stacked);
  for (const PredictedSteps& each : predicted)
    highest = std::max(highest, each.predicted.seconds_per_step);
  const ChartUnit unit = time_unit(highest);
  std::vector<LegendEntry> legend;
  for (std::size_t part = static_cast<std::size_t>(StepPart::recompute); part < kStepParts;
       ++part) {
    legend.push_back({kNames[part],
                      stacked.steps.empty() ? "" : plain_text(latest_of(stacked, part) / unit.size),
                      colour_of(frame, part), true});
  }
  if (!predicted.empty()) {
    legend.push_back({"predicted",
                      plain_text(predicted.back().predicted.seconds_per_step / unit.size),
                      frame.theme.text1});
  }
  scale(stacked, unit.size);
  draw_chart_header(frame, place.min, place.max.x - place.min.x,
                    {.title = "Step time", .unit = unit.name, .legend = legend});
  const double top = highest > 0 ? highest / unit.size * 1.2 : 1;
  const Chart chart(
      frame, {place.name, {place.min.x, place.min.y + frame.px(kChartHeaderHeight)}, place.max},
      steps, linear_axis(0, top));
  if (!chart.is_open()) return;
  if (!stacked.steps.empty()) {
    draw_bands(frame, stacked);
    ImPlot::PushPlotClipRect();
    draw_predicted(frame, chart, predicted, unit.size);
    draw_labels(frame, chart, stacked, {.name = unit.name, .size = 1});
    ImPlot::PopPlotClipRect();
  }
  draw_step_overlay(frame, chart);
}

}  // namespace headroom::ui
