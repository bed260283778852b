#pragma once
// Memory against time: the plans than which none is both smaller and faster. Pure functions; any
// thread, as a job.

#include <cstddef>
#include <stop_token>
#include <vector>

#include "core/plan/cost_model.hpp"

namespace headroom::plan {

struct TradeOff {
  /// The points of the Pareto front by rising peak and falling seconds, no two alike; of plans with
  /// the same peak and seconds the first in order. Empty where no plan was measured.
  std::vector<PlanChoice> points{};
  /// All points of the front are there. Else they are a part of it, with both ends.
  bool complete = true;
};

struct TradeOffOptions {
  /// Up to so many plans each is looked at, and the front is complete: 9 stages with 4 policies.
  std::size_t max_enumerated_plans = std::size_t{1} << 18;
  /// Of a network with more plans, so many points are looked for at most: the ends, then always in
  /// the widest gap between the peaks of those found.
  std::size_t max_solved_points = 48;
};

/// Throws base::Error (interrupted) when `stop` is requested.
[[nodiscard]] TradeOff trade_off(const SizedCosts& costs, const TradeOffOptions& options = {},
                                 const std::stop_token& stop = {});

/// For charts and lists: of points by rising peak both ends and those between whose peak is at
/// least `least_ratio` (1.01: one percent) times that of the one shown before.
[[nodiscard]] std::vector<PlanChoice> thinned(const std::vector<PlanChoice>& points,
                                              double least_ratio);

}  // namespace headroom::plan
