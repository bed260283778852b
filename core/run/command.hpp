#pragma once
// What a person, a script or the command line asks of a run: plain values, posted from any thread,
// applied by the worker between steps.

#include <variant>

#include "core/base/settings.hpp"
#include "core/plan/plan.hpp"
#include "core/run/fit_check.hpp"
#include "core/run/run_request.hpp"
#include "core/run/state_machine.hpp"

namespace headroom::run {

/// Says what the next StartRun starts.
struct Configure {
  RunRequest request{};
};
struct StartRun {};
struct Pause {};
struct Resume {};
/// Ends the run with its state saved.
struct StopAndSave {};
struct SaveNow {};
/// One policy per stage, from the next step on.
struct SetPlan {
  plan::Plan plan{};
};
/// The schedule's peak rate, from the next step on.
struct SetLearningRate {
  double peak_rate = 0;
};

/// Measures what a step costs, so that plans and sizes can be predicted.
struct Calibrate {
  base::Settings settings{};  ///< as settings_of_costs gives them
};
/// Runs steps of a size that is predicted to fit.
struct CheckFit {
  FitCheckRequest request{};
};
/// Gives up the calibration or the check that runs.
struct CancelMeasurement {};

/// Proves on a small network that plans do not change results on this machine.
struct RunSelfTest {};

using Command = std::variant<Configure, StartRun, Pause, Resume, StopAndSave, SaveNow, SetPlan,
                             SetLearningRate, RunSelfTest, Calibrate, CheckFit, CancelMeasurement>;

[[nodiscard]] Action action_of(const Command& command);

}  // namespace headroom::run
