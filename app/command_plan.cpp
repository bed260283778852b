#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/budget_fit.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/planning.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/elapsed.hpp"
#include "core/base/json_text.hpp"
#include "core/plan/plan_explanation.hpp"
#include "core/plan/trade_off.hpp"
#include "core/train/bench.hpp"
#include "core/train/device.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

/// Neighbours in the table differ in their peak by this factor, or there would be hundreds.
constexpr double kShownRatio = 1.04;
constexpr std::int64_t kMeasuredRounds = 3;

struct MeasuredStep {
  std::int64_t peak_bytes = 0;
  std::int64_t peak_total_bytes = 0;
  double seconds = 0;
};

struct PlanAnswer {
  Planning planning{};
  plan::SizedCosts costs{};
  plan::StepPixels pixels{};
  plan::PlanChoice chosen{};
  double keep_seconds = 0;  ///< predicted
  double solve_seconds = 0;
  std::vector<plan::PlanChoice> points{};  ///< of the trade-off; the chosen plan is one
  std::map<plan::Plan, MeasuredStep> measured{};

  [[nodiscard]] const std::vector<std::string>& stages() const {
    return planning.calibration.costs.stages;
  }
  [[nodiscard]] const MeasuredStep* measured_of(const plan::Plan& plan) const {
    const auto found = measured.find(plan);
    return found == measured.end() ? nullptr : &found->second;
  }
};

bool has_lower_peak(const plan::PlanChoice& a, const plan::PlanChoice& b) {
  return a.predicted.peak_total_bytes < b.predicted.peak_total_bytes;
}

/// `points` by rising peak; one more where `added` is none of them.
void add_point(std::vector<plan::PlanChoice>& points, const plan::PlanChoice& added) {
  if (std::ranges::count(points, added) > 0) return;
  points.insert(std::ranges::upper_bound(points, added, has_lower_peak), added);
}

PlanAnswer answer_for(Planning planning, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const plan::StepCosts& costs = planning.calibration.costs;
  const plan::BatchShape shape = shape_of(planning.settings.step);
  PlanAnswer answer;
  answer.pixels = plan::pixels_of(shape, costs.stride);
  answer.costs = plan::costs_at(costs, answer.pixels);
  const plan::Plan keep(costs.stages.size(), plan::Policy::keep);
  if (const auto at_keep = plan::predict(answer.costs, keep))
    answer.keep_seconds = at_keep->seconds_per_step;
  const Clock::time_point begin = Clock::now();
  const plan::FitCell cell = plan::fit_cell(costs, shape, planning.limits, stop);
  answer.solve_seconds = base::seconds_between(begin, Clock::now());
  if (!cell.fits()) throw no_plan_fits(costs, shape, planning.limits);
  answer.chosen = *cell.cheapest;
  answer.points = plan::trade_off(answer.costs, {}, stop).points;
  add_point(answer.points, answer.chosen);
  answer.planning = std::move(planning);
  return answer;
}

/// `count` of the points, evenly along the curve, the chosen plan among them; of those only that
/// fit what is free now.
std::vector<plan::PlanChoice> points_to_measure(const PlanAnswer& answer, std::int64_t count) {
  const auto device = train::resolve_device(answer.planning.settings.step.device);
  const std::int64_t free_bytes = train::resolve_budget(0, device);
  std::vector<plan::PlanChoice> candidates;
  std::ranges::copy_if(answer.points, std::back_inserter(candidates), [&](const auto& point) {
    return point.predicted.peak_total_bytes <= free_bytes;
  });
  const std::int64_t last = std::ssize(candidates) - 1;
  if (count > last) return candidates;
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < count; ++i)
    indices.push_back(count == 1 ? 0 : i * last / (count - 1));
  const auto chosen = std::ranges::find(candidates, answer.chosen);
  if (chosen != candidates.end()) {
    const std::int64_t index = chosen - candidates.begin();
    *std::ranges::min_element(indices, {},
                              [index](std::int64_t i) { return std::abs(i - index); }) = index;
  }
  std::vector<plan::PlanChoice> points;
  for (const std::int64_t index : indices)
    points.push_back(candidates[static_cast<std::size_t>(index)]);
  return points;
}

void measure(PlanAnswer& answer, std::int64_t count, ProgressDisplay& display,
             const std::stop_token& stop) {
  train::BenchOptions options;
  options.settings = answer.planning.settings;
  options.settings.step.budget_bytes = 0;  // plans above the budget are measured too
  for (const plan::PlanChoice& point : points_to_measure(answer, count))
    options.plans.push_back(plan::to_string(point.plan, answer.stages()));
  if (options.plans.empty()) return;
  options.repeat = kMeasuredRounds;
  options.on_progress = [&display](std::int64_t done, std::int64_t rounds) {
    display.update(make_progress("measuring rounds", done, rounds), ProgressDisplay::Clock::now());
  };
  const train::BenchReport report = train::bench_plans(options, models::make_model, stop);
  for (const train::BenchCase& one : report.cases) {
    answer.measured[one.plan] = {.peak_bytes = one.median.peak_bytes,
                                 .peak_total_bytes = one.median.peak_total_bytes,
                                 .seconds = one.median.total_seconds};
  }
}

// ---------------------------------------------------------------- text

/// Few enough to be read, with the chosen plan and all that were measured.
std::vector<plan::PlanChoice> shown_points(const PlanAnswer& answer) {
  std::vector<plan::PlanChoice> shown = plan::thinned(answer.points, kShownRatio);
  add_point(shown, answer.chosen);
  for (const plan::PlanChoice& point : answer.points) {
    if (answer.measured_of(point.plan) != nullptr) add_point(shown, point);
  }
  return shown;
}

std::string of_keep(const PlanAnswer& answer, double seconds) {
  return fmt::format("{:.3f}", seconds / answer.keep_seconds);
}

std::vector<std::string> row_of(const PlanAnswer& answer, const plan::PlanChoice& point) {
  const plan::StepPrediction& predicted = point.predicted;
  const char* mark = point.plan == answer.chosen.plan ? "> " : "  ";
  std::vector<std::string> row = {
      mark + letters_of(point.plan), base::format_bytes(predicted.peak_total_bytes),
      format_step_time(predicted.seconds_per_step), of_keep(answer, predicted.seconds_per_step)};
  if (const MeasuredStep* measured = answer.measured_of(point.plan)) {
    row.push_back(base::format_bytes(measured->peak_total_bytes));
    row.push_back(error_text(static_cast<double>(predicted.peak_total_bytes),
                             static_cast<double>(measured->peak_total_bytes)));
    row.push_back(format_step_time(measured->seconds));
    row.push_back(error_text(predicted.seconds_per_step, measured->seconds));
  }
  return row;
}

std::string table_of(const PlanAnswer& answer) {
  std::vector<std::vector<std::string>> rows = {
      {"  plan", "predicted peak", "predicted step", "of Keep"}};
  if (!answer.measured.empty())
    for (const char* column : {"measured peak", "error", "measured step", "error"})
      rows.front().emplace_back(column);
  for (const plan::PlanChoice& point : shown_points(answer)) {
    rows.push_back(row_of(answer, point));
    rows.back().resize(rows.front().size());
  }
  return format_table(rows);
}

/// "backward of dec1", "loss".
std::string as_text(const PlanAnswer& answer) {
  const Planning& planning = answer.planning;
  const base::StepSettings& step = planning.settings.step;
  const plan::StepPrediction& predicted = answer.chosen.predicted;
  std::string text = heading(planning, fmt::format("tile {}x{}, batch {}; ", step.tile_height,
                                                   step.tile_width, step.batch));
  text += fmt::format(
      "\nplan {}\n"
      "  predicted peak {} in {}, with weights, gradients and optimizer state\n"
      "  predicted step {}, {} of Keep's\n",
      plan::to_string(answer.chosen.plan, answer.stages()),
      base::format_bytes(predicted.peak_total_bytes),
      plan::place_text(predicted.peak_phase, predicted.peak_owner, answer.stages()),
      format_step_time(predicted.seconds_per_step), of_keep(answer, predicted.seconds_per_step));
  for (const plan::PolicyEffect& effect : plan::policy_effects(answer.costs, answer.chosen.plan))
    text += fmt::format("  {}\n", plan::effect_sentence(effect, answer.stages()));
  return text + "\nmemory against time; > is the plan for the budget\n" + letters_legend(planning) +
         "\n\n" + table_of(answer);
}

// ---------------------------------------------------------------- JSON

nlohmann::ordered_json prediction_json(const PlanAnswer& answer,
                                       const plan::StepPrediction& predicted) {
  const double live_before = answer.planning.calibration.live_before_bytes.at(answer.pixels);
  return {{"peak_bytes", predicted.peak_total_bytes - std::llround(live_before)},
          {"peak_total_bytes", predicted.peak_total_bytes},
          {"seconds_per_step", predicted.seconds_per_step}};
}

nlohmann::ordered_json point_json(const PlanAnswer& answer, const plan::PlanChoice& point) {
  nlohmann::ordered_json object = {{"plan", plan::to_string(point.plan, answer.stages())}};
  object.update(prediction_json(answer, point.predicted));
  if (const MeasuredStep* measured = answer.measured_of(point.plan)) {
    object["measured"] = {{"peak_bytes", measured->peak_bytes},
                          {"peak_total_bytes", measured->peak_total_bytes},
                          {"seconds_per_step", measured->seconds}};
  }
  return object;
}

nlohmann::ordered_json effects_json(const PlanAnswer& answer) {
  nlohmann::ordered_json effects = nlohmann::ordered_json::array();
  for (const plan::PolicyEffect& effect : plan::policy_effects(answer.costs, answer.chosen.plan)) {
    effects.push_back({{"stage", answer.stages()[effect.stage]},
                       {"policy", plan::name_of(effect.policy)},
                       {"saved_bytes", effect.saved_bytes},
                       {"added_seconds", effect.added_seconds}});
  }
  return effects;
}

nlohmann::ordered_json as_json(const PlanAnswer& answer) {
  nlohmann::ordered_json policies, points = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < answer.stages().size(); ++s)
    policies[answer.stages()[s]] = plan::name_of(answer.chosen.plan[s]);
  for (const plan::PlanChoice& point : answer.points) points.push_back(point_json(answer, point));
  return {{"budget_bytes", answer.planning.limits.budget_bytes},
          {"solve_ms", 1000 * answer.solve_seconds},
          {"calibration_seconds", answer.planning.calibration.seconds},
          {"channels", answer.planning.settings.model.channels},
          {"classes", answer.planning.settings.model.classes},
          {"stages", answer.stages()},
          {"plan", policies},
          {"predicted", prediction_json(answer, answer.chosen.predicted)},
          {"effects", effects_json(answer)},
          {"pareto", points}};
}

}  // namespace

int perform(const PlanCommand& command) {
  ProgressDisplay display(progress_style(command.output.quiet));
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  Planning planning = prepare_planning({.data = command.data,
                                        .given = command.given,
                                        .output = command.output,
                                        .recalibrate = command.recalibrate},
                                       display, stop.get_token());
  PlanAnswer answer = answer_for(std::move(planning), stop.get_token());
  if (command.measure > 0) measure(answer, command.measure, display, stop.get_token());
  display.clear();
  write_output(command.output.json ? base::dump_json(as_json(answer), 2) + '\n' : as_text(answer));
  return 0;
}

}  // namespace headroom::app
