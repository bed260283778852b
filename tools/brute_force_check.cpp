// The planner against every plan there is: each plan of a small network is measured, and for many
// budgets the planner's choice is compared with the best plan that really fits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/plan/cost_model.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/planner.hpp"
#include "core/train/calibration.hpp"
#include "core/train/generated_task.hpp"
#include "models/unet.hpp"
#include "tools/median.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

struct CheckOptions {
  base::Settings settings{};
  std::int64_t budgets = 50;
  std::int64_t monotone_budgets = 200;
  std::int64_t steps = 3;    ///< of each plan, for its first time
  std::int64_t rounds = 20;  ///< in which the best plans and the chosen one take turns
  std::size_t rivals = 10;
};

struct MeasuredPlan {
  plan::Plan plan{};
  std::int64_t peak_bytes = 0;
  double seconds = 0;
};

/// Of the planner's choice at one budget.
struct Outcome {
  bool fits = false;
  double over_best = 0;  ///< its time over that of the best plan that fits
  double noise = 0;      ///< half the distance of that ratio's quartiles over the rounds
};

/// All of them, the first stage counting most.
std::vector<plan::Plan> every_plan(const std::vector<plan::Policy>& policies, std::size_t stages) {
  std::vector<plan::Plan> plans = {{}};
  for (std::size_t stage = 0; stage < stages; ++stage) {
    std::vector<plan::Plan> longer;
    for (const plan::Plan& plan : plans) {
      for (const plan::Policy policy : policies) {
        longer.push_back(plan);
        longer.back().push_back(policy);
      }
    }
    plans = std::move(longer);
  }
  return plans;
}

class BruteForceCheck {
 public:
  explicit BruteForceCheck(const CheckOptions& options)
      : options_(options),
        costs_(train::calibrate({.settings = options.settings}, models::make_model, {}).costs),
        task_(options.settings, models::make_model) {
    const base::StepSettings& step = options.settings.step;
    sized_ = plan::costs_at(
        costs_,
        plan::pixels_of({.batch = step.batch, .height = step.tile_height, .width = step.tile_width},
                        costs_.stride));
    for (plan::Plan& each : every_plan(costs_.policies, costs_.stages.size())) {
      plans_.push_back(measured(std::move(each)));
    }
  }

  [[nodiscard]] std::size_t plan_count() const { return plans_.size(); }

  /// From the lowest budget that a plan is predicted to fit to what Keep everywhere takes.
  [[nodiscard]] std::vector<std::int64_t> budgets(std::int64_t count) const {
    const std::int64_t least = plan::least_peak_bytes(sized_).value();
    const std::int64_t most = plans_.front().peak_bytes;
    std::vector<std::int64_t> budgets;
    for (std::int64_t i = 0; i < count; ++i) {
      budgets.push_back(most - (most - least) * i / std::max<std::int64_t>(1, count - 1));
    }
    return budgets;
  }

  Outcome outcome(std::int64_t budget) {
    const plan::PlanChoice choice = plan::cheapest_plan(sized_, budget).value();
    const MeasuredPlan& chosen = measurement_of(choice.plan);
    Outcome outcome{.fits = chosen.peak_bytes <= budget};
    std::vector<plan::Plan> racing = {choice.plan};
    for (const MeasuredPlan& rival : fastest_within(budget)) racing.push_back(rival.plan);
    const std::vector<std::vector<double>> seconds = race(racing);
    // The best is named by the even rounds and compared in the odd ones: the fastest of ten by
    // chance alone must not count.
    std::size_t best = 0;
    for (std::size_t i = 1; i < racing.size(); ++i) {
      if (median(half_of(seconds[i], 0)) < median(half_of(seconds[best], 0))) best = i;
    }
    std::vector<double> ratios;
    for (std::size_t round = 1; round < seconds[0].size(); round += 2) {
      ratios.push_back(seconds[0][round] / seconds[best][round]);
    }
    outcome.over_best = median(ratios);
    std::ranges::sort(ratios);
    outcome.noise = (ratios[ratios.size() * 3 / 4] - ratios[ratios.size() / 4]) / 2;
    fmt::print("budget {}: {} predicted {} measured {}, {:.3f} x the best ({}), noise {:.3f}\n",
               base::format_bytes(budget), plan::to_string(choice.plan, costs_.stages),
               base::format_bytes(choice.predicted.peak_total_bytes),
               base::format_bytes(chosen.peak_bytes), outcome.over_best,
               plan::to_string(racing[best], costs_.stages), outcome.noise);
    return outcome;
  }

  /// How often a lower budget gave a plan with a higher peak, predicted or measured.
  [[nodiscard]] std::int64_t rises(const std::vector<std::int64_t>& falling) const {
    std::int64_t rises = 0, last_predicted = INT64_MAX, last_measured = INT64_MAX;
    for (const std::int64_t budget : falling) {
      const plan::PlanChoice choice = plan::cheapest_plan(sized_, budget).value();
      const std::int64_t predicted = choice.predicted.peak_total_bytes;
      const std::int64_t now = measurement_of(choice.plan).peak_bytes;
      if (predicted > last_predicted || now > last_measured) ++rises;
      last_predicted = predicted;
      last_measured = now;
    }
    return rises;
  }

 private:
  train::StepResult step(const plan::Plan& plan) {
    task_.model().set_plan(plan);
    return task_.step(++steps_, {});
  }

  MeasuredPlan measured(plan::Plan plan) {
    MeasuredPlan result{.plan = std::move(plan)};
    std::vector<double> seconds;
    for (std::int64_t i = 0; i < options_.steps; ++i) {
      const memory::StepMeasurement one = step(result.plan).measured;
      // The first step of all makes the optimizer's state.
      if (steps_ > 1) result.peak_bytes = std::max(result.peak_bytes, one.peak_total_bytes);
      seconds.push_back(one.total_seconds);
    }
    result.seconds = median(seconds);
    return result;
  }

  [[nodiscard]] const MeasuredPlan& measurement_of(const plan::Plan& plan) const {
    return *std::ranges::find(plans_, plan, &MeasuredPlan::plan);
  }

  [[nodiscard]] std::vector<MeasuredPlan> fastest_within(std::int64_t budget) const {
    std::vector<MeasuredPlan> fitting;
    std::ranges::copy_if(plans_, std::back_inserter(fitting),
                         [budget](const MeasuredPlan& each) { return each.peak_bytes <= budget; });
    std::ranges::sort(fitting, {}, &MeasuredPlan::seconds);
    fitting.resize(std::min(fitting.size(), options_.rivals));
    return fitting;
  }

  /// Seconds of each plan in each round; in every other round they run in the opposite order.
  std::vector<std::vector<double>> race(const std::vector<plan::Plan>& plans) {
    std::vector<std::vector<double>> seconds(plans.size());
    for (std::int64_t round = 0; round < 2 * options_.rounds; ++round) {
      for (std::size_t i = 0; i < plans.size(); ++i) {
        const std::size_t next = round / 2 % 2 == 0 ? i : plans.size() - 1 - i;
        seconds[next].push_back(step(plans[next]).measured.total_seconds);
      }
    }
    return seconds;
  }

  static std::vector<double> half_of(const std::vector<double>& values, std::size_t first) {
    std::vector<double> half;
    for (std::size_t i = first; i < values.size(); i += 2) half.push_back(values[i]);
    return half;
  }

  CheckOptions options_;
  plan::StepCosts costs_;
  train::GeneratedTask task_;
  plan::SizedCosts sized_{};
  std::vector<MeasuredPlan> plans_{};
  std::int64_t steps_ = 0;
};

int check(const CheckOptions& options) {
  constexpr double kLimit = 1.02;
  BruteForceCheck check(options);
  fmt::print("{} plans measured\n", check.plan_count());
  std::int64_t fitting = 0, fast = 0;
  double worst = 0;
  std::vector<double> noise;
  for (const std::int64_t budget : check.budgets(options.budgets)) {
    const Outcome outcome = check.outcome(budget);
    if (outcome.fits) ++fitting;
    if (outcome.over_best <= kLimit) ++fast;
    worst = std::max(worst, outcome.over_best);
    noise.push_back(outcome.noise);
  }
  const std::int64_t rises = check.rises(check.budgets(options.monotone_budgets));
  fmt::print(
      "{} of {} choices fit their budget; {} within {} x the best that fits, the worst {:.3f}; "
      "noise {:.3f} (median)\n{} rises of a peak over {} falling budgets\n",
      fitting, options.budgets, fast, kLimit, worst, median(noise), rises,
      options.monotone_budgets);
  return fitting == options.budgets && fast == options.budgets && rises == 0 ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::CheckOptions options;
  options.settings.model.levels = 4;
  options.settings.model.base_channels = 16;
  options.settings.step.batch = 1;
  options.settings.step.precision = headroom::base::Precision::fp32;
  std::int64_t tile = 128;
  CLI::App command{"The planner's choice against every plan of a small network, measured",
                   "brute_force_check"};
  command.add_option("--levels", options.settings.model.levels, "Two stages each, less one")
      ->capture_default_str()
      ->check(CLI::Range(2, 5));
  command.add_option("--base-channels", options.settings.model.base_channels, "Of the first stage")
      ->capture_default_str();
  command.add_option("--tile", tile, "Side in pixels")->capture_default_str();
  command.add_option("--batch", options.settings.step.batch, "Tiles")->capture_default_str();
  command.add_option("--budgets", options.budgets, "At which the choice is compared")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--rounds", options.rounds, "Pairs of turns of the best plans")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  return headroom::run_check(command, argument_count, arguments, [&] {
    options.settings.step.tile_height = options.settings.step.tile_width = tile;
    return headroom::check(options);
  });
}
