#include "core/plan/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"

namespace headroom::plan {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

/// A whole number of `rounded`, which may be beyond what an integer holds.
std::int64_t whole(double rounded) {
  constexpr auto kMost = static_cast<double>(SizedTable::kMost);
  return std::abs(rounded) <= kMost ? static_cast<std::int64_t>(rounded) : SizedTable::kUnmeasured;
}

template <typename Round>
std::vector<SizedTable> tables_at(const std::vector<CostTable>& tables, const StepPixels& pixels,
                                  const Round& round) {
  std::vector<SizedTable> sized;
  for (const CostTable& table : tables) {
    SizedTable& numbers = sized.emplace_back();
    numbers.stages = table.stages;
    numbers.values.reserve(table.by_combination.size());
    for (const std::vector<Affine>& envelope : table.by_combination) {
      numbers.values.push_back(envelope.empty() ? SizedTable::kUnmeasured
                                                : whole(round(highest(envelope, pixels))));
    }
  }
  return sized;
}

double round_bytes(double bytes) { return std::ceil(bytes); }
double round_time(double seconds) { return std::round(seconds * kNanosecondsPerSecond); }

/// For each stage the policy's index in `costs.policies`; nothing where there is none.
std::optional<std::vector<std::size_t>> indices_of(const Plan& plan, const SizedCosts& costs) {
  if (plan.size() != costs.stages) return std::nullopt;
  std::vector<std::size_t> indices;
  for (const Policy policy : plan) {
    const auto found = std::ranges::find(costs.policies, policy);
    if (found == costs.policies.end()) return std::nullopt;
    indices.push_back(static_cast<std::size_t>(found - costs.policies.begin()));
  }
  return indices;
}

std::int64_t sum_of(const std::vector<SizedTable>& tables, const std::vector<std::size_t>& indices,
                    std::size_t policies) {
  std::int64_t sum = 0;
  for (const SizedTable& table : tables) {
    sum += table.values[combination_of(table.stages, policies,
                                       [&](std::size_t stage) { return indices[stage]; })];
  }
  return sum;
}

}  // namespace

std::int64_t padded_pixels(std::int64_t batch, std::int64_t height, std::int64_t width,
                           std::int64_t stride) {
  return batch * base::round_up(height, stride) * base::round_up(width, stride);
}

SizedCosts costs_at(const StepCosts& costs, const StepPixels& pixels) {
  if (!is_consistent(costs)) {
    throw base::Error(base::ErrorKind::internal, {.attempted = "computing what a step costs",
                                                  .subject = "the measured costs contradict",
                                                  .remedy = "Measure them again"});
  }
  SizedCosts sized;
  sized.stages = costs.stages.size();
  sized.policies = costs.policies;
  for (const StepMoment& moment : costs.moments) {
    sized.moments.push_back({.phase = moment.phase,
                             .owner = moment.owner,
                             .bytes = tables_at(moment.bytes, pixels, round_bytes)});
  }
  if (!costs.validation_bytes.empty()) {
    const StepPixels one_image = {.step = pixels.image, .image = pixels.image};
    const CostTable validation = {.stages = {}, .by_combination = {costs.validation_bytes}};
    sized.moments.push_back({.phase = Phase::validation,
                             .owner = -1,
                             .bytes = tables_at({validation}, one_image, round_bytes)});
  }
  sized.nanoseconds = tables_at(costs.seconds, pixels, round_time);
  return sized;
}

std::optional<StepPrediction> predict(const SizedCosts& costs, const Plan& plan) {
  const auto indices = indices_of(plan, costs);
  if (!indices) return std::nullopt;
  const std::size_t policies = costs.policies.size();
  const std::int64_t nanoseconds = sum_of(costs.nanoseconds, *indices, policies);
  if (nanoseconds > SizedTable::kMostSum) return std::nullopt;

  StepPrediction prediction;
  prediction.seconds_per_step = static_cast<double>(nanoseconds) / kNanosecondsPerSecond;
  for (std::size_t i = 0; i < costs.moments.size(); ++i) {
    const SizedMoment& moment = costs.moments[i];
    const std::int64_t bytes = sum_of(moment.bytes, *indices, policies);
    if (bytes > SizedTable::kMostSum) return std::nullopt;
    if (i > 0 && bytes <= prediction.peak_total_bytes) continue;
    prediction.peak_total_bytes = bytes;
    prediction.peak_moment = i;
    prediction.peak_phase = moment.phase;
    prediction.peak_owner = moment.owner;
  }
  return prediction;
}

std::optional<StepPrediction> predict(const StepCosts& costs, const Plan& plan,
                                      const StepPixels& pixels) {
  return predict(costs_at(costs, pixels), plan);
}

}  // namespace headroom::plan
