#pragma once
// What is predicted for the runs of sample_snapshots.hpp, from costs like those that these were
// made with.

#include "core/run/snapshot.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/shell.hpp"

namespace headroom::tests {

/// Peaks 0.4 % above what the sample measures, seconds 3 % below.
[[nodiscard]] plan::StepCosts sample_costs(const SampleRun& sample);

/// As the program would answer for the run, with `budget_bytes` of the sample; `others` are asked
/// about beside the plan of the run.
[[nodiscard]] ui::Outlook sample_outlook(const SampleRun& sample, const run::RunSnapshot& run,
                                         std::vector<plan::Plan> others = {});

}  // namespace headroom::tests
