#include "core/run/report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/byte_size.hpp"
#include "core/plan/phase.hpp"
#include "core/run/chart.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kAboveHighest = 1.08;  ///< room over the highest value, as a factor
constexpr double kWideWidth = 1148, kWideHeight = 240;

double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Steps go from 0 to the end of the run, so that its right edge is what was planned.
double last_step_of(const Json& run) {
  const double planned = run.at("steps").is_null() ? 0 : run.at("steps").get<double>();
  return std::max({1.0, planned, run.at("steps_done").get<double>()});
}

double middle_of(const Json& point) {
  return (number(point.at("first_step")) + number(point.at("last_step"))) / 2;
}

std::vector<ChartMark> marks_of(const Json& run) {
  std::vector<ChartMark> marks;
  for (const Json& change : run.at("plan_changes")) {
    const bool is_forced = change.at("cause") == "out_of_memory";
    marks.push_back({.x = number(change.at("step")),
                     .label = change.at("letters").get<std::string>(),
                     .css_class = is_forced ? "bad" : "asked"});
  }
  for (const Json& relief : run.at("out_of_memory")) {
    if (relief.at("before") == relief.at("after"))
      marks.push_back({.x = number(relief.at("step")), .css_class = "bad"});
  }
  return marks;
}

double highest_y(const std::vector<ChartLine>& lines) {
  double highest = 0;
  for (const ChartLine& line : lines)
    for (const ChartPoint& point : line.points) highest = std::fmax(highest, point.y);
  return highest;
}

bool has_points(const std::vector<ChartLine>& lines) {
  return std::ranges::any_of(lines, [](const ChartLine& line) {
    return std::ranges::any_of(line.points,
                               [](const ChartPoint& point) { return std::isfinite(point.y); });
  });
}

ChartLine line_over_validations(const Json& run, const std::string& css_class,
                                const std::function<double(const Json&)>& value_of) {
  ChartLine line{.css_class = css_class, .has_dots = true};
  for (const Json& each : run.at("validations"))
    line.points.push_back({number(each.at("step")), value_of(each)});
  return line;
}

/// Mean of the losses with the range they had.
void add_losses(Chart& chart, const Json& run) {
  ChartLine mean{.css_class = "training"};
  ChartArea range{.css_class = "range"};
  for (const Json& point : run.at("history")) {
    mean.points.push_back({middle_of(point), number(point.at("loss"))});
    if (point.at("lowest_loss").is_null()) continue;
    range.xs.push_back(middle_of(point));
    range.lows.push_back(number(point.at("lowest_loss")));
    range.highs.push_back(number(point.at("highest_loss")));
  }
  chart.areas.push_back(std::move(range));
  chart.lines.push_back(std::move(mean));
}

/// The largest binary unit that does not exceed the value.
double binary_unit_of(double bytes) {
  double unit = 1;
  while (bytes >= 1024 * unit) unit *= 1024;
  return unit;
}

}  // namespace

std::string loss_chart(const Json& run) {
  Chart chart{.description = "Loss over steps",
              .most_x = last_step_of(run),
              .tick_text = [](double value) { return fmt::format("{:.3g}", value); },
              .marks = marks_of(run)};
  add_losses(chart, run);
  chart.lines.push_back(line_over_validations(
      run, "validation", [](const Json& each) { return number(each.at("loss")); }));
  if (!has_points(chart.lines)) return {};
  double highest = highest_y(chart.lines);
  for (const ChartArea& area : chart.areas)
    for (const double high : area.highs) highest = std::max(highest, high);
  chart.most_y = highest > 0 ? kAboveHighest * highest : 1;
  return svg_of(chart);
}

std::string class_style(std::size_t id) {
  constexpr std::size_t kColours = 8;
  return fmt::format("class{}", id % kColours);
}

std::string dice_chart(const Json& run) {
  Chart chart{.description = "Dice of the validation images over steps",
              .most_x = last_step_of(run),
              .tick_text = [](double value) { return fmt::format("{:.1f}", value); },
              .marks = marks_of(run)};
  const std::size_t classes = run.at("data").at("classes").size();
  for (std::size_t id = 0; id < classes; ++id) {
    chart.lines.push_back(line_over_validations(run, class_style(id), [id](const Json& each) {
      return number(each.at("classes").at(id).at("dice"));
    }));
    chart.lines.back().has_dots = false;
  }
  chart.lines.push_back(line_over_validations(
      run, "mean", [](const Json& each) { return number(each.at("mean_dice")); }));
  return has_points(chart.lines) ? svg_of(chart) : std::string();
}

std::string step_time_chart(const Json& run) {
  constexpr auto kStacked = std::to_array(
      {"forward", "loss", "backward", "recompute", "optimizer", "data", "validation", "save"});
  Chart chart{.description = "Seconds of a step by phase",
              .width = kWideWidth,
              .height = kWideHeight,
              .most_x = last_step_of(run),
              .most_y = 0,
              .tick_unit = 0.001,
              .tick_text = [](double seconds) { return fmt::format("{:.4g}", 1000 * seconds); },
              .marks = marks_of(run)};
  const Json& history = run.at("history");
  if (history.empty()) return {};
  std::vector<double> below(history.size(), 0);
  for (const char* const phase : kStacked) {
    ChartArea area{.css_class = fmt::format("phase-{}", phase)};
    for (std::size_t i = 0; i < history.size(); ++i) {
      const double seconds = number(history[i].at("seconds").at(phase));
      area.xs.push_back(middle_of(history[i]));
      area.lows.push_back(below[i]);
      if (std::isfinite(seconds)) below[i] += seconds;
      area.highs.push_back(below[i]);
    }
    chart.areas.push_back(std::move(area));
  }
  // A few slow steps (the first one, another program's doing) would flatten all others.
  std::vector<double> totals = below;
  std::ranges::sort(totals);
  chart.most_y = 1.25 * totals[(totals.size() - 1) * 95 / 100];
  return chart.most_y > 0 ? svg_of(chart) : std::string();
}

std::string peak_memory_chart(const Json& run) {
  ChartLine peaks{.css_class = "peak", .shape = LineShape::stairs};
  ChartArea below{.css_class = "peak"};
  const auto add = [&below](double step, double peak) {
    below.xs.push_back(step);
    below.lows.push_back(0);
    below.highs.push_back(peak);
  };
  for (const Json& point : run.at("history")) {
    const double first = number(point.at("first_step")), last = number(point.at("last_step"));
    const double peak = number(point.at("peak_total_bytes"));
    if (!below.xs.empty()) add(first, below.highs.back());
    add(first, peak);
    add(last, peak);
    peaks.points.push_back({first, peak});
    peaks.points.push_back({last, peak});
  }
  Chart chart{.description = "Peak memory of steps against the budget",
              .width = kWideWidth,
              .height = kWideHeight,
              .most_x = last_step_of(run),
              .marks = marks_of(run)};
  chart.lines = {std::move(peaks)};
  const double highest = highest_y(chart.lines);
  if (highest <= 0) return {};
  chart.areas = {std::move(below)};
  chart.most_y = kAboveHighest * highest;
  // A budget far above the peak would flatten it; the figures tell it then.
  const double budget = number(run.at("budget_bytes"));
  if (budget <= 3 * highest) {
    chart.most_y = std::max(chart.most_y, kAboveHighest * budget);
    chart.levels.push_back(
        {budget, "budget " + base::format_bytes(static_cast<std::int64_t>(budget))});
  }
  chart.tick_unit = binary_unit_of(highest);
  chart.tick_text = [unit = chart.tick_unit](double bytes) {
    return fmt::format("{:.4g}", bytes / unit);
  };
  return svg_of(chart);
}

}  // namespace headroom::run
