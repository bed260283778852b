#include "core/plan/step_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::plan {
namespace {

bool is_finite(const std::vector<Affine>& envelope) {
  return std::ranges::all_of(envelope, [](const Affine& each) {
    return std::isfinite(each.constant) && std::isfinite(each.per_pixel) &&
           std::isfinite(each.per_image_pixel);
  });
}

/// `policies` to the power of the stages is the number of combinations; stops before it overflows.
bool has_every_combination(const CostTable& table, std::size_t policies) {
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < table.stages.size(); ++i) {
    if (combinations > table.by_combination.size()) return false;
    combinations *= policies;
  }
  return combinations == table.by_combination.size();
}

bool is_consistent(const CostTable& table, const StepCosts& costs) {
  for (std::size_t i = 0; i < table.stages.size(); ++i) {
    if (table.stages[i] >= costs.stages.size()) return false;
    if (i > 0 && table.stages[i] <= table.stages[i - 1]) return false;
  }
  return has_every_combination(table, costs.policies.size()) &&
         std::ranges::all_of(table.by_combination, is_finite);
}

bool are_consistent(const std::vector<CostTable>& tables, const StepCosts& costs) {
  return tables.size() <= kMaxCostTables && std::ranges::all_of(tables, [&](const CostTable& each) {
           return is_consistent(each, costs);
         });
}

bool has_usable_policies(const std::vector<Policy>& policies) {
  if (policies.empty() || policies.front() != Policy::keep) return false;
  return std::ranges::all_of(policies,
                             [&](Policy each) { return std::ranges::count(policies, each) == 1; });
}

}  // namespace

double highest(const std::vector<Affine>& functions, const StepPixels& pixels) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Affine& function : functions) most = std::max(most, function.at(pixels));
  return most;
}

bool is_consistent(const StepCosts& costs) {
  if (costs.stages.size() > kMaxCostStages || costs.stride < 1) return false;
  if (!has_usable_policies(costs.policies) || !is_finite(costs.validation_bytes)) return false;
  const auto head = static_cast<int>(costs.stages.size());
  for (const StepMoment& moment : costs.moments) {
    if (moment.owner < -1 || moment.owner > head || !are_consistent(moment.bytes, costs)) {
      return false;
    }
  }
  return are_consistent(costs.seconds, costs);
}

bool is_complete(const StepMoment& moment) {
  return std::ranges::all_of(moment.bytes, [](const CostTable& table) {
    return std::ranges::none_of(table.by_combination,
                                [](const std::vector<Affine>& each) { return each.empty(); });
  });
}

}  // namespace headroom::plan
