#pragma once
// Every plan of a network with its cost, added up straight from StepCosts: the reference that the
// planner is compared with. For costs whose sums are exact in double.

#include <vector>

#include "core/plan/cost_model.hpp"

namespace headroom::tests {

struct PlanCost {
  plan::Plan plan{};
  double peak_bytes = 0, seconds = 0;
};

/// In the order of plans; without those that have an entry that was not measured.
[[nodiscard]] std::vector<PlanCost> every_plan(const plan::StepCosts& costs,
                                               const plan::StepPixels& pixels);

/// For costs whose sums are not exact: as every_plan, each cost then replaced by what `predict`
/// says of `sized`, the same costs at these pixels. Expects that it is within what rounding
/// explains.
[[nodiscard]] std::vector<PlanCost> every_predicted_plan(const plan::StepCosts& costs,
                                                         const plan::SizedCosts& sized,
                                                         const plan::StepPixels& pixels);

/// The one that cheapest_plan promises, among the plans whose peak is at most `budget`; null where
/// none is.
[[nodiscard]] const PlanCost* cheapest_of(const std::vector<PlanCost>& plans, double budget);

/// The Pareto front by rising peak, of equal plans the first.
[[nodiscard]] std::vector<PlanCost> front_of(const std::vector<PlanCost>& plans);

/// Every peak that occurs, rising.
[[nodiscard]] std::vector<double> peaks_of(const std::vector<PlanCost>& plans);

}  // namespace headroom::tests
