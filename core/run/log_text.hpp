#pragma once
// Events as the sentences that the log shows. Pure; any thread.

#include <string>
#include <vector>

#include "core/run/snapshot.hpp"

namespace headroom::run {

/// "enc3 Full, dec1 Full": what the stages that changed do now; "all stages Full" where many
/// changed and all are alike; "as before" where none did.
[[nodiscard]] std::string describe_change(const plan::Plan& before, const plan::Plan& after,
                                          const std::vector<std::string>& stages);

/// The same, and how many tiles are computed at once where that changed: "all stages Full, 2 tiles
/// at once".
[[nodiscard]] std::string describe_form_change(const plan::StepForm& before,
                                               const plan::StepForm& after,
                                               const std::vector<std::string>& stages);

/// "Training started: 2 000 steps", "Training continues after step 500 of 2 000".
[[nodiscard]] std::string describe_start(const SessionFacts& facts);
/// "Plan A: enc3 Full, dec1 Full from step 213".
[[nodiscard]] std::string describe_plan_change(const PlanMark& mark, const plan::StepForm& before,
                                               const std::vector<std::string>& stages);
/// "Plan A: enc3 Full. Peak −600.0 MiB (5.20 → 4.62 GiB), step +30 ms (801 → 831 ms)".
[[nodiscard]] std::string describe(const PlanMeasured& effect,
                                   const std::vector<std::string>& stages);
/// "Validation at 1 680: mean Dice 0.832, best so far".
[[nodiscard]] std::string describe(const ValidationReport& report);
/// "Learning rate 0.0005 from step 213".
[[nodiscard]] std::string describe(const LearningRateSet& change);
/// "Run state saved, step 500, 94.0 MiB".
[[nodiscard]] std::string describe(const Saved& saved);
/// "All 2 000 steps done", "Stopped after step 212".
[[nodiscard]] std::string describe(const Finished& finished);
/// What fewer tiles at once mean, as a sentence without its full stop; empty where their number
/// stayed.
[[nodiscard]] std::string consequence_of(const MemoryRelief& relief);

/// "Out of memory at step 12 (1.20 GiB needed, budget 1.00 GiB): all stages Light, the step is
/// repeated".
[[nodiscard]] std::string describe(const MemoryRelief& relief,
                                   const std::vector<std::string>& stages);
/// "Checked: batch 2 of 1024 x 1024 fits, peak 7.91 GiB of 8.00 GiB".
[[nodiscard]] std::string describe(const FitCheckReport& report);
/// "Self-test passed: 32 plans gave the same bits as Keep (0.61 s)".
[[nodiscard]] std::string describe(const SelfTestReport& report);

}  // namespace headroom::run
