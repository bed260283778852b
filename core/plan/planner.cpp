#include "core/plan/planner.hpp"

#include <algorithm>

#include "core/plan/plan_search.hpp"

namespace headroom::plan {
namespace {

PlanChoice choice_of(const FoundPlan& found, const PlanBounds& bounds, const SizedCosts& costs) {
  PlanChoice choice;
  choice.plan = bounds.plan_of(found.code);
  choice.predicted = predict(costs, choice.plan).value();
  return choice;
}

}  // namespace

std::optional<PlanChoice> cheapest_plan(const SizedCosts& costs, std::int64_t budget_bytes,
                                        const std::stop_token& stop) {
  const PlanBounds bounds(costs, StageOrder::outer_first);
  const SearchLimits limits = {.bytes = std::min(budget_bytes, SizedTable::kMostSum)};
  const auto found = search_cheapest(bounds, limits, stop);
  if (!found) return std::nullopt;
  return choice_of(*found, bounds, costs);
}

std::optional<PlanChoice> least_memory_plan(const SizedCosts& costs, const std::stop_token& stop) {
  const PlanBounds bounds(costs, StageOrder::outer_first);
  const auto least = search_plan(bounds, SearchGoal::peak, {}, stop);
  if (!least) return std::nullopt;
  const auto found = search_cheapest(bounds, {.bytes = least->peak_bytes}, stop);
  return choice_of(found.value(), bounds, costs);
}

std::optional<std::int64_t> least_peak_bytes(const SizedCosts& costs, const std::stop_token& stop) {
  const PlanBounds bounds(costs, StageOrder::outer_first);
  const auto least = search_plan(bounds, SearchGoal::peak, {}, stop);
  if (!least) return std::nullopt;
  return least->peak_bytes;
}

}  // namespace headroom::plan
