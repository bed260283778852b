#pragma once
// Everything that is known about the run at one moment. Published as shared_ptr<const RunSnapshot>;
// immutable then, read by any thread.

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/event.hpp"
#include "core/run/history.hpp"

namespace headroom::run {

/// What a line of the log is about; `severity` says how bad it is.
enum class LogTopic { event, finding, plan, validation, save };

struct LogEntry {
  std::chrono::system_clock::time_point time{};
  base::Severity severity = base::Severity::info;
  LogTopic topic = LogTopic::event;
  std::string text{};
  std::int64_t plan_number = 0;  ///< of topic plan: the change's number, from 1
};

/// A change of plan as charts mark it.
struct PlanMark {
  std::int64_t number = 0;  ///< from 1; 0 is the plan that the run began with
  std::int64_t step = 0;    ///< the first that ran with it
  plan::Plan plan{};
  std::int64_t tiles_at_once = 0;
  std::optional<PlanMeasured> effect{};  ///< once measured
  PlanCause cause = PlanCause::asked;

  [[nodiscard]] plan::StepForm form() const { return {plan, tiles_at_once}; }
};

/// "A" … "Z", "AA" …; empty for number 0.
[[nodiscard]] std::string letters_of(std::int64_t plan_number);

/// What a stage did under one policy when it last ran with it in this run.
struct PolicyMeasurement {
  std::int64_t step = 0;
  std::int64_t kept_bytes = 0;
  double seconds = 0;      ///< forward, backward and recompute; smoothed over the steps
  std::int64_t steps = 0;  ///< in a row that `seconds` is of; counted up to 8
};
using PolicyMeasurements = std::array<std::optional<PolicyMeasurement>, plan::kPolicies>;

/// The calibration that was asked for last.
struct CalibrationStatus {
  enum class State { running, done, cancelled, failed };
  State state = State::running;
  base::Settings settings{};   ///< of the network
  std::int64_t steps = 0;      ///< run so far
  base::ErrorParts problem{};  ///< while failed

  [[nodiscard]] bool is_running() const { return state == State::running; }
};

struct RunSnapshot {
  static constexpr std::size_t kLogLines = 400;
  static constexpr std::size_t kPlanMarks = 1024;
  static constexpr std::size_t kValidations = 1024;
  static constexpr std::size_t kMemoryReliefs = 256;
  static constexpr std::size_t kFitChecks = 128;

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
  std::int64_t validation_peak_bytes = 0;                ///< highest of them, weights included
  double save_seconds = 0;                               ///< of all saves since then
  std::vector<PlanMark> plan_marks{};                    ///< the last kPlanMarks
  std::vector<MemoryRelief> memory_reliefs{};            ///< the last kMemoryReliefs
  std::vector<PolicyMeasurements> stages{};              ///< by stage; the head is one more
  std::shared_ptr<const plan::StepTimeline> timeline{};  ///< the latest one
  std::vector<SharedPreview> previews{};                 ///< of the latest validation
  std::optional<SelfTestReport> self_test{};             ///< outlives runs
  std::optional<CalibrationStatus> calibration{};        ///< outlives runs
  std::shared_ptr<const plan::StepCosts> costs{};  ///< by the latest calibration that was done
  std::optional<plan::BatchShape> checked_fit{};   ///< while steps of it run
  std::vector<FitCheckReport> fit_checks{};        ///< the last kFitChecks; outlive runs
  base::Settings costs_settings{};                 ///< of the network that they are of
  std::vector<LogEntry> log{};                     ///< the last kLogLines
  std::optional<Saved> last_save{};
  std::optional<Outcome> outcome{};  ///< while finished
  std::optional<Failed> error{};     ///< of the run that failed last; gone when the next one starts
};

/// The snapshot after `event`, which happened at `time`. Pure. Takes the snapshot by value: moving
/// it in makes a step cheap.
[[nodiscard]] RunSnapshot reduce(RunSnapshot snapshot, const Event& event,
                                 std::chrono::system_clock::time_point time = {});

}  // namespace headroom::run
