#pragma once
// What each stage's policy brings, in numbers and in sentences for people. Pure; any thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/cost_model.hpp"

namespace headroom::plan {

/// The plan against the same plan with this stage at Keep. The effects of several stages need not
/// add up: the peak moves.
struct PolicyEffect {
  std::size_t stage = 0;
  Policy policy = Policy::keep;
  std::int64_t saved_bytes = 0;  ///< of the peak; below 0: it costs bytes
  double added_seconds = 0;      ///< a step; below 0: it is faster

  friend bool operator==(const PolicyEffect&, const PolicyEffect&) = default;
};

/// Of every stage that is not Keep, in the order of the stages; without those whose plan at Keep
/// was never measured. Empty where the plan itself was not.
[[nodiscard]] std::vector<PolicyEffect> policy_effects(const SizedCosts& costs, const Plan& plan);

/// "backward of dec1", "loss" where no stage was at work, "backward of the head" for the owner
/// behind the last stage.
[[nodiscard]] std::string place_text(Phase phase, int owner,
                                     const std::vector<std::string>& stages);

/// "dec1 Light saves 310.0 MiB for 4 ms".
[[nodiscard]] std::string effect_sentence(const PolicyEffect& effect,
                                          const std::vector<std::string>& stages);

}  // namespace headroom::plan
