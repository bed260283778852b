#pragma once
// Exact search for one plan under limits: stage by stage, dropping partial plans that cannot end
// within the limits or that another one beats whatever follows. Pure; any thread. Quickest with
// StageOrder::outer_first.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/plan/plan_bounds.hpp"

namespace headroom::plan {

/// What the wanted plan has the least of.
enum class SearchGoal {
  nanoseconds,
  peak,
  order,  ///< the first plan in order
};

struct SearchLimits {
  std::int64_t bytes = SizedTable::kMostSum;        ///< not above that
  std::int64_t nanoseconds = SizedTable::kMostSum;  ///< not above that
  /// What is known already: no plan within the limits takes fewer. A close one saves work.
  std::int64_t least_nanoseconds = -SizedTable::kMostSum;
};

struct FoundPlan {
  PlanCode code = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t nanoseconds = 0;
  bool is_unique = false;  ///< known for nanoseconds: no other plan within the limits is so fast
  std::size_t partial_plans = 0;  ///< that were made to find it: the work
};

/// One of the plans that have the least of `goal` within the limits; nothing where none is. Throws
/// base::Error (interrupted) when `stop` is requested.
[[nodiscard]] std::optional<FoundPlan> search_plan(const PlanBounds& bounds, SearchGoal goal,
                                                   const SearchLimits& limits,
                                                   const std::stop_token& stop);

/// The plan within the limits that comes first by nanoseconds, then by peak, then in order.
[[nodiscard]] std::optional<FoundPlan> search_cheapest(const PlanBounds& bounds,
                                                       const SearchLimits& limits,
                                                       const std::stop_token& stop);

}  // namespace headroom::plan
