#pragma once
// A training step's peak and seconds for any plan, batch and size, from what calibration measured.
// Values and pure functions; any thread.
//
//   const SizedCosts sized = costs_at(costs, pixels_of(batch, height, width, stride));
//   if (const auto predicted = predict(sized, plan)) use(predicted->peak_total_bytes);

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::plan {

/// batch * height * width with both sides rounded up to multiples of `stride`.
[[nodiscard]] std::int64_t padded_pixels(std::int64_t batch, std::int64_t height,
                                         std::int64_t width, std::int64_t stride);

/// A CostTable at one size. Whole numbers, so that a sum is the same in every order and two plans
/// tie or do not.
struct SizedTable {
  /// An entry that was never measured, or is beyond +-kMost. Sums that contain one are above
  /// kMostSum, sums of others are not.
  static constexpr std::int64_t kUnmeasured = std::int64_t{1} << 55;
  static constexpr std::int64_t kMost = std::int64_t{1} << 46;
  static constexpr std::int64_t kMostSum = std::int64_t{1} << 53;

  std::vector<std::size_t> stages{};
  std::vector<std::int64_t> values{};  ///< by combination, as CostTable::by_combination
};

struct SizedMoment {
  Phase phase = Phase::forward;
  int owner = -1;
  std::vector<SizedTable> bytes{};  ///< each rounded up to whole bytes
};

/// StepCosts at one size.
struct SizedCosts {
  std::size_t stages = 0;
  std::vector<Policy> policies{};
  /// In the order of the step; validation, where it is counted, is the last and has one table
  /// without stages.
  std::vector<SizedMoment> moments{};
  std::vector<SizedTable> nanoseconds{};  ///< each rounded to whole nanoseconds
};

/// Throws base::Error (internal) where `costs` is not consistent.
[[nodiscard]] SizedCosts costs_at(const StepCosts& costs, const StepPixels& pixels);

struct StepPrediction {
  std::int64_t peak_total_bytes = 0;
  double seconds_per_step = 0;
  std::size_t peak_moment = 0;  ///< index into SizedCosts::moments; the first that is so high
  Phase peak_phase = Phase::forward;
  int peak_owner = -1;  ///< stage at work, the head behind the last; -1: none

  friend bool operator==(const StepPrediction&, const StepPrediction&) = default;
};

/// Nothing where the plan has another number of stages, a policy that the device does not offer, or
/// a combination of policies that was never measured.
[[nodiscard]] std::optional<StepPrediction> predict(const SizedCosts& costs, const Plan& plan);

/// One answer; for several of the same size, costs_at once and the other one.
[[nodiscard]] std::optional<StepPrediction> predict(const StepCosts& costs, const Plan& plan,
                                                    const StepPixels& pixels);

/// A plan and what it is predicted to cost.
struct PlanChoice {
  Plan plan{};
  StepPrediction predicted{};

  friend bool operator==(const PlanChoice&, const PlanChoice&) = default;
};

}  // namespace headroom::plan
