#pragma once
// A budget as commands and training plan with it. Pure; any thread.

#include <cstdint>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::app {

/// The margin is 0.5 % of what the reserve leaves: a predicted peak may be so much too low.
[[nodiscard]] plan::FitLimits limits_of(std::int64_t budget_bytes, std::int64_t reserve_bytes = 0);

[[nodiscard]] plan::BatchShape shape_of(const base::StepSettings& settings);

/// Bytes that a step of this network with every stage at Keep does not reach; roughly twice what it
/// takes.
[[nodiscard]] std::int64_t keep_bytes_bound(const base::Settings& settings);

/// The first that fits of half the tiles at once, a quarter of them, …
[[nodiscard]] std::optional<plan::FitCell> fewer_tiles_at_once(const plan::StepCosts& costs,
                                                               plan::BatchShape shape,
                                                               const plan::FitLimits& limits);

/// Out of memory, naming what the plan of the lowest peak needs, the budget, and which smaller tile
/// and batch would fit.
[[nodiscard]] base::Error no_plan_fits(const plan::StepCosts& costs, const plan::BatchShape& shape,
                                       const plan::FitLimits& limits);

}  // namespace headroom::app
