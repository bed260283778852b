#pragma once
// A budget as commands and training plan with it. Pure; any thread.

#include <cstdint>

#include "core/base/error.hpp"
#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::app {

/// Of a budget 0.5 % is left free: a predicted peak may be so much too low.
[[nodiscard]] plan::FitLimits limits_of(std::int64_t budget_bytes);

[[nodiscard]] plan::BatchShape shape_of(const base::StepSettings& settings);

/// Out of memory, naming what the plan of the lowest peak needs, the budget, and which smaller tile
/// and batch would fit.
[[nodiscard]] base::Error no_plan_fits(const plan::StepCosts& costs, const plan::BatchShape& shape,
                                       const plan::FitLimits& limits);

}  // namespace headroom::app
