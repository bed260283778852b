#pragma once
// What happened to a run: plain values, emitted by the worker, each once. The snapshot is their
// sum; the run record is their copy on disk.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/finding.hpp"
#include "core/plan/step_costs.hpp"
#include "core/run/fit_check.hpp"
#include "core/run/run_request.hpp"
#include "core/run/self_test.hpp"
#include "core/run/session.hpp"
#include "core/run/state_machine.hpp"

namespace headroom::run {

enum class Outcome { completed, stopped };
[[nodiscard]] const char* name_of(Outcome outcome);

struct Configured {
  RunRequest request{};
};
struct StateChanged {
  RunState from = RunState::empty;
  RunState to = RunState::empty;
};
struct Prepared {
  std::shared_ptr<const SessionFacts> facts{};  ///< never null
};
struct RecordedRun;
/// What the run's folder has of the steps before a run was continued; follows Prepared.
struct RecordRead {
  std::shared_ptr<const RecordedRun> record{};  ///< never null
};
struct StepDone {
  StepReport report{};
};
struct ValidationDone {
  ValidationReport report{};
};
/// The plan was handed to the session.
struct PlanRequested {
  plan::Plan plan{};
};
/// Why a plan took effect: somebody asked for it, or a step did not fit in memory.
enum class PlanCause { asked, out_of_memory };
[[nodiscard]] const char* name_of(PlanCause cause);
/// `step` is the first that ran with the plan; emitted before its StepDone.
struct PlanApplied {
  std::int64_t step = 0;
  plan::Plan plan{};
  std::int64_t tiles_at_once = 0;  ///< a change of these is one of the plan too
  PlanCause cause = PlanCause::asked;
};
/// What a change of plan did, measured: told once steps enough ran with it, or at the next change.
struct PlanMeasured {
  std::int64_t number = 0;  ///< of the change, from 1; 0 is the plan that the run began with
  std::int64_t step = 0;    ///< the first that ran with `after`
  plan::Plan before{}, after{};
  std::int64_t tiles_at_once_before = 0, tiles_at_once_after = 0;
  std::int64_t peak_total_bytes_before = 0, peak_total_bytes_after = 0;  ///< highest
  double step_seconds_before = 0, step_seconds_after = 0;                ///< medians
};
/// Memory ran out; something was changed, and the same work comes again. For a step the change
/// lasts until a person asks for another plan; fewer tiles at once last to the end of the run.
struct MemoryRelieved {
  MemoryRelief relief{};
};
struct SelfTestDone {
  SelfTestReport report{};
};
struct CalibrationBegun {
  base::Settings settings{};  ///< of the network that is measured
};
struct CalibrationProgressed {
  std::int64_t steps = 0;  ///< run so far
};
/// `costs` where it was done, else why not.
struct CalibrationEnded {
  std::shared_ptr<const plan::StepCosts> costs{};
  base::ErrorKind kind = base::ErrorKind::internal;  ///< interrupted: it was cancelled
  base::ErrorParts error{};
};
struct FitCheckBegun {
  plan::BatchShape shape{};
};
/// `report` where it was done, else why not.
struct FitCheckEnded {
  std::optional<FitCheckReport> report{};
  base::ErrorKind kind = base::ErrorKind::internal;  ///< interrupted: it was cancelled
  base::ErrorParts error{};
};
struct LearningRateSet {
  std::int64_t step = 0;  ///< the first step that runs with it
  double peak_rate = 0;
};
struct Saved {
  std::int64_t step = 0;
  std::int64_t bytes = 0;
  double seconds = 0;
};
struct LogLine {
  base::Severity severity = base::Severity::info;
  std::string text{};
};
struct CommandRefused {
  Action action = Action::configure;
  std::string reason{};
};
struct Finished {
  Outcome outcome = Outcome::completed;
  std::int64_t step = 0;  ///< optimizer steps done
};
struct Failed {
  base::ErrorKind kind = base::ErrorKind::internal;
  base::ErrorParts error{};
  std::int64_t step = 0;        ///< optimizer steps done
  std::int64_t saved_step = 0;  ///< steps in the state that is saved; 0: none
};

using Event =
    std::variant<Configured, StateChanged, Prepared, RecordRead, StepDone, ValidationDone,
                 PlanRequested, PlanApplied, PlanMeasured, LearningRateSet, Saved, LogLine,
                 CommandRefused, Finished, Failed, SelfTestDone, MemoryRelieved, CalibrationBegun,
                 CalibrationProgressed, CalibrationEnded, FitCheckBegun, FitCheckEnded>;

/// {"event": "step_done", …}; keys are the members' names. Plans are lists of policies in the
/// stages' order. Timelines and previews, which are for the eye, are left out, and so is what was
/// read back from the record.
[[nodiscard]] nlohmann::ordered_json to_json(const Event& event);

/// Takes part in every event, on the worker thread, with no lock held. An Error thrown here fails
/// the run.
class EventSink {
 public:
  virtual ~EventSink() = default;
  void handle(const Event& event) { do_handle(event); }

 private:
  virtual void do_handle(const Event& event) = 0;
};

}  // namespace headroom::run
