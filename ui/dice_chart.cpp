#include "ui/dice_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/class_order.hpp"
#include "ui/number_text.hpp"
#include "ui/step_chart.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr std::size_t kMostClasses = 6;
constexpr std::size_t kWorst = 3;
constexpr std::size_t kBest = 2;
constexpr float kLongestName = 90;  ///< design pixels in the legend

struct DiceLine {
  std::string name{};
  Polyline line{};
  ImVec4 colour{};
  bool is_mean = false;
};

std::string dice_text(double dice) {
  return std::isfinite(dice) ? fmt::format("{:.3f}", dice) : kNone;
}

/// Of class `index`, or the mean.
Polyline values_of(const run::RunSnapshot& run, std::optional<std::size_t> index) {
  Polyline line;
  for (const run::ValidationReport& report : run.validations) {
    if (index.has_value() && *index >= report.classes.size()) continue;
    const double dice = index.has_value() ? report.classes[*index].dice : report.mean_dice;
    if (std::isfinite(dice)) line.add(static_cast<double>(report.step), dice);
  }
  return line;
}

/// The background's line matters least, and is the first to miss its room in the legend.
std::vector<std::size_t> background_last(std::vector<std::size_t> indices,
                                         const std::vector<std::string>& names) {
  std::ranges::stable_partition(indices,
                                [&](std::size_t index) { return !is_background(names[index]); });
  return indices;
}

std::vector<DiceLine> lines_of(const Frame& frame, std::size_t& left_out) {
  std::vector<DiceLine> lines;
  if (frame.run.validations.empty()) return lines;
  const auto& classes = frame.run.validations.back().classes;
  std::vector<double> latest;
  std::vector<std::string> names;
  for (const run::ClassScore& score : classes) {
    latest.push_back(score.dice);
    names.push_back(score.name);
  }
  const std::vector<std::size_t> charted = charted_classes(latest);
  left_out = classes.size() - charted.size();
  lines.push_back({"mean", values_of(frame.run, {}), frame.theme.text1, true});
  const TextStyle style{.size = FontSize::kLabel};
  for (const std::size_t index : background_last(charted, names)) {
    const auto number = foreground_number(names, index);
    lines.push_back(
        {elided(frame, classes[index].name, style, frame.px(kLongestName)),
         values_of(frame.run, index),
         number.has_value() ? chart_class_colour(frame.theme, *number) : frame.theme.text3, false});
  }
  return lines;
}

void draw_lines(const Frame& frame, const Chart& chart, const std::vector<DiceLine>& lines) {
  std::vector<EndLabel> labels;
  double last_step = 0;
  // The mean comes first and lies on top.
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->line.empty()) continue;
    const std::string id = "##" + std::to_string(std::distance(lines.rbegin(), line));
    plot_line(frame, id.c_str(), line->line, {line->colour, line->is_mean ? 2.2F : 1.5F});
    last_step = std::max(last_step, line->line.xs.back());
  }
  ImPlot::PushPlotClipRect(frame.px(6));
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->line.empty()) continue;
    draw_end_dot(frame, chart, line->line.xs.back(), line->line.ys.back(), line->colour);
    if (line->is_mean) continue;
    labels.push_back({.value = line->line.ys.back(),
                      .text = dice_text(line->line.ys.back()),
                      .colour = frame.theme.text1,
                      .bar_colour = line->colour});
  }
  draw_end_labels(frame, chart, last_step, std::move(labels));
  ImPlot::PopPlotClipRect();
}

}  // namespace

std::vector<std::size_t> charted_classes(std::span<const double> latest_dice) {
  std::vector<std::size_t> order(latest_dice.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= kMostClasses) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t index) {
    return std::isfinite(latest_dice[index]) ? latest_dice[index] : -1.0;
  });
  order.erase(order.begin() + kWorst, order.end() - kBest);
  std::ranges::sort(order);
  return order;
}

void draw_dice_chart(const Frame& frame, const ChartPlace& place) {
  std::size_t left_out = 0;
  const std::vector<DiceLine> lines = lines_of(frame, left_out);
  std::vector<LegendEntry> legend;
  for (const DiceLine& line : lines) {
    const bool has_value = line.is_mean && !line.line.empty();
    legend.push_back({line.name, has_value ? dice_text(line.line.ys.back()) : "", line.colour});
  }
  const std::string unit =
      left_out == 0 ? "validation" : fmt::format("validation, {} classes left out", left_out);
  draw_chart_header(frame, place.min, place.max.x - place.min.x,
                    {.title = "Dice", .unit = unit, .legend = legend});
  const Chart chart(
      frame, {place.name, {place.min.x, place.min.y + frame.px(kChartHeaderHeight)}, place.max},
      step_axis(frame.run, end_label_share(frame, place)), linear_axis(0, 1));
  if (!chart.is_open()) return;
  draw_lines(frame, chart, lines);
  draw_step_overlay(frame, chart);
}

}  // namespace headroom::ui
