#pragma once
// The best plan for a budget, exactly. Pure functions; any thread, long ones as a job.
//
// 9 stages with 4 policies take about a millisecond and at most a few, 15 stages tens of them.

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/plan/cost_model.hpp"

namespace headroom::plan {

/// The plan of the fewest seconds among those whose predicted peak is at most `budget_bytes`; of
/// equally fast ones that of the lowest peak, of those the first in the order of policies (as in
/// SizedCosts), the first stage counting most. Nothing where no plan fits. Throws base::Error
/// (interrupted) when `stop` is requested.
///
/// As the budget falls, neither does the chosen peak rise nor do the seconds fall: let x be chosen
/// for b and y for B > b. What fits b fits B, so y is at most as slow as x. If y fits b too, x is
/// as fast as y, both have the least peak among those, and x = y; else y's peak is above b, and
/// x's is not.
[[nodiscard]] std::optional<PlanChoice> cheapest_plan(const SizedCosts& costs,
                                                      std::int64_t budget_bytes,
                                                      const std::stop_token& stop = {});

/// The plan of the lowest predicted peak; of several the fastest, of those the first in order.
/// Nothing where no plan was measured.
[[nodiscard]] std::optional<PlanChoice> least_memory_plan(const SizedCosts& costs,
                                                          const std::stop_token& stop = {});

/// The lowest predicted peak alone; cheaper than the plan.
[[nodiscard]] std::optional<std::int64_t> least_peak_bytes(const SizedCosts& costs,
                                                           const std::stop_token& stop = {});

}  // namespace headroom::plan
