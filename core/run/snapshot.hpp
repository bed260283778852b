#pragma once
// Everything that is known about the run at one moment. Published as shared_ptr<const RunSnapshot>;
// immutable then, read by any thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/event.hpp"
#include "core/run/history.hpp"

namespace headroom::run {

struct RunSnapshot {
  static constexpr std::size_t kLogLines = 400;
  static constexpr std::size_t kPlanMarks = 1024;
  static constexpr std::size_t kValidations = 1024;

  std::int64_t revision = 0;  ///< grows by one with every event
  RunState state = RunState::empty;
  std::optional<RunRequest> request{};
  std::shared_ptr<const SessionFacts> facts{};  ///< null until prepared
  plan::Plan requested_plan{};                  ///< what the next step will run with
  plan::Plan applied_plan{};  ///< what the last step ran with; empty before the first
  std::optional<LearningRateSet> learning_rate{};  ///< as last set by hand
  std::int64_t steps_done = 0;                     ///< those before a resume included
  std::optional<StepReport> last_step{};
  StepHistory history{};
  std::vector<ValidationReport>
      validations{};              ///< thinned beyond kValidations; first, best and last stay
  double validation_seconds = 0;  ///< of all validations since the run was prepared
  std::int64_t validation_peak_bytes = 0;  ///< highest of them, weights included
  double save_seconds = 0;                 ///< of all saves since then
  std::vector<PlanApplied> plan_marks{};   ///< the last kPlanMarks
  std::vector<LogLine> log{};              ///< the last kLogLines
  std::optional<Saved> last_save{};
  std::optional<Outcome> outcome{};  ///< while finished
  std::optional<Failed> error{};     ///< of the run that failed last; gone when the next one starts
};

/// The snapshot after `event`. Pure. Takes the snapshot by value: moving it in makes a step cheap.
[[nodiscard]] RunSnapshot reduce(RunSnapshot snapshot, const Event& event);

}  // namespace headroom::run
