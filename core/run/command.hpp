#pragma once
// What a person, a script or the command line asks of a run: plain values, posted from any thread,
// applied by the worker between steps.

#include <variant>

#include "core/plan/plan.hpp"
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

/// Proves on a small network that plans do not change results on this machine.
struct RunSelfTest {};

using Command = std::variant<Configure, StartRun, Pause, Resume, StopAndSave, SaveNow, SetPlan,
                             SetLearningRate, RunSelfTest>;

[[nodiscard]] Action action_of(const Command& command);

}  // namespace headroom::run
