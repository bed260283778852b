#pragma once
// The states of a run, as data: one table says which state follows, one says what a person may do
// and why not. Constant; any thread.

#include <array>
#include <cstddef>
#include <optional>

namespace headroom::run {

enum class RunState {
  empty,      ///< nothing chosen
  ready,      ///< a run is configured and can be started
  preparing,  ///< data is scanned, the network built, the state restored
  training,
  paused,
  validating,
  stopping,  ///< the state is being saved
  finished,  ///< all steps done, or stopped
  failed,
};
inline constexpr std::size_t kRunStates = 9;
inline constexpr std::array<const char*, kRunStates> kRunStateNames = {
    "empty",      "ready",    "preparing", "training", "paused",
    "validating", "stopping", "finished",  "failed"};
[[nodiscard]] constexpr const char* name_of(RunState state) {
  return kRunStateNames[static_cast<std::size_t>(state)];
}

/// What a person (or script) asks for; each is one Command.
enum class Action {
  configure,
  start,
  pause,
  resume,
  stop,
  save,
  set_plan,
  set_learning_rate,
  self_test,
  calibrate,
  check_fit,
  cancel_measurement
};
inline constexpr std::size_t kActions = 12;
inline constexpr std::array<const char*, kActions> kActionNames = {
    "configure", "start",     "pause",     "resume",
    "stop",      "save",      "set_plan",  "set_learning_rate",
    "self_test", "calibrate", "check_fit", "cancel_measurement"};
[[nodiscard]] constexpr const char* name_of(Action action) {
  return kActionNames[static_cast<std::size_t>(action)];
}

/// What moves a run from state to state: actions, and what the worker finds.
enum class Trigger {
  configure,
  start,
  prepared,
  pause,
  resume,
  validation_due,
  validated,
  stop,
  stopped,
  all_steps_done,
  failure,
};
inline constexpr std::size_t kTriggers = 11;

struct Transition {
  RunState from;
  Trigger trigger;
  RunState to;
};

/// All transitions there are.
inline constexpr auto kTransitions = std::to_array<Transition>({
    {RunState::empty, Trigger::configure, RunState::ready},
    {RunState::ready, Trigger::configure, RunState::ready},
    {RunState::ready, Trigger::start, RunState::preparing},
    {RunState::preparing, Trigger::prepared, RunState::training},
    {RunState::preparing, Trigger::stop, RunState::stopping},
    {RunState::preparing, Trigger::failure, RunState::failed},
    {RunState::training, Trigger::pause, RunState::paused},
    {RunState::training, Trigger::validation_due, RunState::validating},
    {RunState::training, Trigger::stop, RunState::stopping},
    {RunState::training, Trigger::all_steps_done, RunState::finished},
    {RunState::training, Trigger::failure, RunState::failed},
    {RunState::paused, Trigger::resume, RunState::training},
    {RunState::paused, Trigger::stop, RunState::stopping},
    {RunState::paused, Trigger::failure, RunState::failed},
    {RunState::validating, Trigger::validated, RunState::training},
    {RunState::validating, Trigger::pause, RunState::paused},
    {RunState::validating, Trigger::stop, RunState::stopping},
    {RunState::validating, Trigger::failure, RunState::failed},
    {RunState::stopping, Trigger::stopped, RunState::finished},
    {RunState::stopping, Trigger::failure, RunState::failed},
    {RunState::finished, Trigger::configure, RunState::ready},
    {RunState::finished, Trigger::start, RunState::preparing},
    {RunState::failed, Trigger::configure, RunState::ready},
    {RunState::failed, Trigger::start, RunState::preparing},
});

/// Nothing where the table has no such transition.
[[nodiscard]] constexpr std::optional<RunState> next_state(RunState from, Trigger trigger) {
  for (const Transition& transition : kTransitions) {
    if (transition.from == from && transition.trigger == trigger) return transition.to;
  }
  return std::nullopt;
}

/// Why an action is refused, by state (row) and action (column); null: it is allowed.
inline constexpr std::array<std::array<const char*, kActions>, kRunStates> kRefusals = {{
    // configure, start, pause, resume, stop, save, set_plan, set_learning_rate, self_test,
    // calibrate, check_fit, cancel_measurement
    {nullptr, "Open a data folder first.", "No run is under way.", "No run is under way.",
     "No run is under way.", "No run is under way.", "No run is under way.", "No run is under way.",
     nullptr, "Open a data folder first.", "Open a data folder first.", nullptr},  // empty
    {nullptr, nullptr, "The run has not started.", "The run has not started.",
     "The run has not started.", "The run has not started: there is nothing to save.",
     "The run has not started: choose the plan in its settings.",
     "The run has not started: choose the learning rate in its settings.", nullptr, nullptr,
     nullptr, nullptr},  // ready
    {"A run is being prepared: stop it first.", "The run is being prepared already.",
     "The run is being prepared: it can be paused when training begins.", "The run is not paused.",
     nullptr, "The run is being prepared: there is nothing to save yet.",
     "The network is being built: its plan can be changed when training begins.",
     "The run is being prepared: the learning rate can be changed when training begins.",
     "A run is being prepared: stop it before the self-test.",
     "A run is being prepared: stop it before a calibration.",
     "A run is being prepared: stop it before a check.",
     "Nothing is being measured."},  // preparing
    {"A run is under way: stop it first.", "The run is under way already.", nullptr,
     "The run is not paused.", nullptr, nullptr, nullptr, nullptr,
     "A run is under way: the self-test would disturb it.",
     "A run is under way: a calibration would disturb it.",
     "A run is under way: a check would disturb it.", "Nothing is being measured."},  // training
    {"A run is paused: stop it first.", "The run is paused: resume it, or stop it first.",
     "The run is paused already.", nullptr, nullptr, nullptr, nullptr, nullptr,
     "A run is paused: stop it before the self-test.",
     "A run is paused: stop it before a calibration.", "A run is paused: stop it before a check.",
     "Nothing is being measured."},  // paused
    {"A run is under way: stop it first.", "The run is under way already.", nullptr,
     "The run is not paused.", nullptr, nullptr, nullptr, nullptr,
     "A run is under way: the self-test would disturb it.",
     "A run is under way: a calibration would disturb it.",
     "A run is under way: a check would disturb it.", "Nothing is being measured."},  // validating
    {"The run is being saved: wait until it has stopped.",
     "The run is being saved: wait until it has stopped.", "The run is stopping.",
     "The run is stopping.", "The run is stopping already.", "The run is being saved already.",
     "The run is stopping.", "The run is stopping.",
     "The run is being saved: wait until it has stopped.",
     "The run is being saved: wait until it has stopped.",
     "The run is being saved: wait until it has stopped.",
     "Nothing is being measured."},  // stopping
    {nullptr, nullptr, "The run is over.", "The run is over.", "The run is over.",
     "The run is over: its state is saved.", "The run is over.", "The run is over.", nullptr,
     nullptr, nullptr, nullptr},  // finished
    {nullptr, nullptr, "The run has failed.", "The run has failed: start it again.",
     "The run has failed: nothing is under way.", "The run has failed: nothing is under way.",
     "The run has failed: nothing is under way.", "The run has failed: nothing is under way.",
     nullptr, nullptr, nullptr, nullptr},  // failed
}};

[[nodiscard]] constexpr const char* refusal(RunState state, Action action) {
  return kRefusals[static_cast<std::size_t>(state)][static_cast<std::size_t>(action)];
}

/// True where no run is under way and none will be without a command.
[[nodiscard]] constexpr bool is_at_rest(RunState state) {
  return state == RunState::empty || state == RunState::ready || state == RunState::finished ||
         state == RunState::failed;
}

}  // namespace headroom::run
