#pragma once
// What a change of plan did to a training's steps. Fed by the worker with the changes and the
// steps, in their order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/snapshot.hpp"

namespace headroom::run {

/// Compares the last steps before a change with the first ones after it. The first step under a
/// plan counts on neither side: it pays for what the allocators have to rearrange.
class PlanEffect {
 public:
  /// Steps that are looked at on either side, at most.
  static constexpr std::size_t kSteps = 8;

  /// The plan from the next step on; call finish() before.
  void begin(const PlanMark& mark);
  /// The effect of the change, once kSteps steps ran with the plan that count.
  [[nodiscard]] std::optional<PlanMeasured> add(const StepReport& report);
  /// The effect of the change, where it has not been told: the plan ends here. Nothing where one
  /// side has no step that counts.
  [[nodiscard]] std::optional<PlanMeasured> finish();

 private:
  struct Step {
    std::int64_t peak_total_bytes = 0;
    double seconds = 0;  ///< without waiting for data
  };
  static std::int64_t highest_peak(const std::vector<Step>& steps);
  static double median_seconds(const std::vector<Step>& steps);

  PlanMark mark_{};                   ///< of the plan that steps run with
  std::vector<Step> steps_{};         ///< the last ones under it
  plan::StepForm before_{};           ///< the last one with steps that count
  std::vector<Step> steps_before_{};  ///< the last ones under that
  bool had_first_step_ = false;       ///< the one that does not count
  bool is_told_ = false;
};

}  // namespace headroom::run
