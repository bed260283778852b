#include "tests/core/plan/every_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace headroom::tests {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double entry_of(const plan::CostTable& table, const plan::StepCosts& costs, const plan::Plan& plan,
                const plan::StepPixels& pixels) {
  std::size_t combination = 0;
  for (const std::size_t stage : table.stages) {
    const auto policy = std::ranges::find(costs.policies, plan[stage]) - costs.policies.begin();
    combination = combination * costs.policies.size() + static_cast<std::size_t>(policy);
  }
  double highest = -kNever;
  for (const plan::Affine& each : table.by_combination[combination]) {
    highest = std::max(highest, each.constant + each.per_pixel * static_cast<double>(pixels.step) +
                                    each.per_image_pixel * static_cast<double>(pixels.image));
  }
  return highest == -kNever ? kNever : highest;
}

double sum_of(const std::vector<plan::CostTable>& tables, const plan::StepCosts& costs,
              const plan::Plan& plan, const plan::StepPixels& pixels) {
  double sum = 0;
  for (const plan::CostTable& table : tables) sum += entry_of(table, costs, plan, pixels);
  return sum;
}

PlanCost cost_of(const plan::StepCosts& costs, const plan::Plan& plan,
                 const plan::StepPixels& pixels) {
  PlanCost cost = {.plan = plan, .peak_bytes = -kNever, .seconds = 0};
  for (const plan::StepMoment& moment : costs.moments) {
    cost.peak_bytes = std::max(cost.peak_bytes, sum_of(moment.bytes, costs, plan, pixels));
  }
  for (const plan::Affine& each : costs.validation_bytes) {
    cost.peak_bytes =
        std::max(cost.peak_bytes, each.constant + (each.per_pixel + each.per_image_pixel) *
                                                      static_cast<double>(pixels.image));
  }
  cost.seconds = sum_of(costs.seconds, costs, plan, pixels);
  return cost;
}

bool is_before(const PlanCost& a, const PlanCost& b) {
  if (a.seconds != b.seconds) return a.seconds < b.seconds;
  return a.peak_bytes < b.peak_bytes;
}

}  // namespace

std::vector<PlanCost> every_plan(const plan::StepCosts& costs, const plan::StepPixels& pixels) {
  std::vector<PlanCost> plans;
  const std::size_t stages = costs.stages.size(), policies = costs.policies.size();
  std::size_t count = 1;
  for (std::size_t i = 0; i < stages; ++i) count *= policies;
  for (std::size_t code = 0; code < count; ++code) {
    plan::Plan plan(stages);
    std::size_t rest = code;
    for (std::size_t stage = stages; stage-- > 0; rest /= policies) {
      plan[stage] = costs.policies[rest % policies];
    }
    const PlanCost cost = cost_of(costs, plan, pixels);
    if (std::isfinite(cost.peak_bytes) && std::isfinite(cost.seconds)) plans.push_back(cost);
  }
  return plans;
}

std::vector<PlanCost> every_predicted_plan(const plan::StepCosts& costs,
                                           const plan::SizedCosts& sized,
                                           const plan::StepPixels& pixels) {
  // Sums of numbers that are rounded each: a byte a table, half a nanosecond a table.
  constexpr double kBytes = 16, kSeconds = 1e-8;
  std::vector<PlanCost> plans = every_plan(costs, pixels);
  for (PlanCost& each : plans) {
    const auto predicted = plan::predict(sized, each.plan);
    EXPECT_TRUE(predicted);
    if (!predicted) return {};
    const auto peak_bytes = static_cast<double>(predicted->peak_total_bytes);
    EXPECT_NEAR(peak_bytes, each.peak_bytes, kBytes);
    EXPECT_NEAR(predicted->seconds_per_step, each.seconds, kSeconds);
    each.peak_bytes = peak_bytes;
    each.seconds = predicted->seconds_per_step;
  }
  return plans;
}

const PlanCost* cheapest_of(const std::vector<PlanCost>& plans, double budget) {
  const PlanCost* cheapest = nullptr;
  for (const PlanCost& each : plans) {
    if (each.peak_bytes > budget) continue;
    if (cheapest == nullptr || is_before(each, *cheapest)) cheapest = &each;
  }
  return cheapest;
}

std::vector<PlanCost> front_of(const std::vector<PlanCost>& plans) {
  std::vector<PlanCost> sorted = plans;
  std::ranges::stable_sort(sorted, [](const PlanCost& a, const PlanCost& b) {
    return a.peak_bytes != b.peak_bytes ? a.peak_bytes < b.peak_bytes : a.seconds < b.seconds;
  });
  std::vector<PlanCost> front;
  for (const PlanCost& each : sorted) {
    if (front.empty() || each.seconds < front.back().seconds) front.push_back(each);
  }
  return front;
}

std::vector<double> peaks_of(const std::vector<PlanCost>& plans) {
  std::set<double> peaks;
  for (const PlanCost& each : plans) peaks.insert(each.peak_bytes);
  return {peaks.begin(), peaks.end()};
}

}  // namespace headroom::tests
