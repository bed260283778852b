// How long the planner takes, on costs shaped like a U-Net's: one budget (the slowest and the
// median of many between the least and Keep's peak, and the most partial plans that were made for
// one), the trade-off curve and the map of what fits.
//
//   planner_time [NETWORKS]    of each kind, 3
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/base/elapsed.hpp"
#include "core/base/text_number.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/plan_search.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/trade_off.hpp"
#include "tests/core/plan/synthetic_costs.hpp"
#include "tools/median.hpp"

namespace headroom {
namespace {

using Clock = std::chrono::steady_clock;

constexpr plan::StepPixels kPixels = {.step = 2 * 512 * 512, .image = 512 * 512};

template <typename Work>
double milliseconds_of(const Work& work) {
  const auto begin = Clock::now();
  work();
  return base::seconds_between(begin, Clock::now()) * 1e3;
}

struct Times {
  std::vector<double> budgets{}, least{}, curves{}, maps{};  ///< ms
  std::size_t most_partial_plans = 0;                        ///< of the search for one budget
  std::size_t most_points = 0;
  bool complete = true;
};

void time_budgets(const plan::SizedCosts& costs, Times& times) {
  constexpr std::int64_t kBudgets = 25;
  const std::int64_t least = plan::least_peak_bytes(costs).value_or(0);
  const auto keep = plan::predict(costs, plan::Plan(costs.stages, plan::Policy::keep));
  const plan::PlanBounds bounds(costs, plan::StageOrder::outer_first);
  for (std::int64_t i = -1; i <= kBudgets; ++i) {
    const std::int64_t budget = least + (keep->peak_total_bytes - least) * i / kBudgets;
    times.budgets.push_back(
        milliseconds_of([&] { static_cast<void>(plan::cheapest_plan(costs, budget)); }));
    const auto found = plan::search_cheapest(bounds, {.bytes = budget}, {});
    if (found) times.most_partial_plans = std::max(times.most_partial_plans, found->partial_plans);
  }
  times.least.push_back(
      milliseconds_of([&] { static_cast<void>(plan::least_memory_plan(costs)); }));
}

void time_map(const plan::StepCosts& costs, Times& times) {
  const std::vector<std::int64_t> batches = {1, 2, 3, 4, 6, 8, 12, 16};
  std::vector<std::int64_t> sides;
  for (std::int64_t i = 1; i <= 10; ++i) sides.push_back(128 * i);
  for (const std::int64_t gib : {1, 2, 4}) {
    const plan::FitLimits limits = {.budget_bytes = gib << 30};
    times.maps.push_back(
        milliseconds_of([&] { static_cast<void>(plan::fit_map(costs, batches, sides, limits)); }));
  }
}

Times measure(const tests::UnetCostsOptions& options, int networks) {
  Times times;
  for (int seed = 0; seed < networks; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const plan::StepCosts costs = tests::unet_costs(options, random);
    const plan::SizedCosts sized = plan::costs_at(costs, kPixels);
    time_budgets(sized, times);
    times.curves.push_back(milliseconds_of([&] {
      const plan::TradeOff curve = plan::trade_off(sized);
      times.most_points = std::max(times.most_points, curve.points.size());
      times.complete = times.complete && curve.complete;
    }));
    if (options.levels <= 5) time_map(costs, times);
  }
  return times;
}

std::string text_of(const std::vector<double>& ms) {
  if (ms.empty()) return "–";
  return fmt::format("{:.1f} / {:.1f}", median(ms), std::ranges::max(ms));
}

void print_row(const tests::UnetCostsOptions& options, const std::string& name, int networks) {
  const Times times = measure(options, networks);
  fmt::print("{:>2} x {}  {:<20} {:>14} {:>9} {:>14} {:>16} {:>8} {:>16}\n", 2 * options.levels - 1,
             options.policies, name, text_of(times.budgets), times.most_partial_plans,
             text_of(times.least), text_of(times.curves),
             fmt::format("{}{}", times.most_points, times.complete ? "" : "+"),
             text_of(times.maps));
  std::fflush(stdout);
}

void print_all(int networks) {
  fmt::print("{:<28} {:>14} {:>9} {:>14} {:>16} {:>8} {:>16}\n", "ms, median / slowest",
             "one budget", "most work", "least memory", "curve", "points", "map 8 x 10");
  using tests::HeldTogether;
  for (const std::int64_t levels : {5, 6, 7, 8}) {
    for (const std::size_t policies : {std::size_t{3}, std::size_t{4}}) {
      print_row({.levels = levels, .policies = policies}, "", networks);
      print_row({.levels = levels, .policies = policies, .jitter = 0.02}, "held jitters", networks);
      print_row({.levels = levels, .policies = policies, .held = HeldTogether::with_next},
                "held with the next", networks);
      print_row({.levels = levels, .policies = policies, .held = HeldTogether::with_skip},
                "held with the skip", networks);
    }
  }
}

}  // namespace
}  // namespace headroom

int main(int argc, char** argv) {
  const auto networks = argc > 1 ? headroom::base::parse_integer(argv[1]) : 3;
  if (!networks || *networks < 1) {
    fmt::print(stderr, "planner_time: {} is no number of networks\n", argv[1]);
    return 2;
  }
  headroom::print_all(static_cast<int>(*networks));
  return 0;
}
