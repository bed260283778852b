#include "ui/run_actions.hpp"

#include <array>
#include <utility>

#include "core/base/folder_path.hpp"
#include "ui/icons.hpp"

namespace headroom::ui {
namespace {

using run::Action;
using run::RunState;

RunAction commanded(const run::RunSnapshot& run, const char* label, const char* icon,
                    run::Command command) {
  RunAction action{.label = label, .icon = icon};
  if (const char* const why = run::refusal(run.state, run::action_of(command))) {
    action.refusal = why;
  } else {
    action.asks = std::move(command);
  }
  return action;
}

/// After a run: go on where it was saved, or make another one like it.
RunAction after_run(const run::RunSnapshot& run) {
  if (!run.request.has_value())
    return {.label = "Start", .icon = icon::kPlay, .refusal = "Open a data folder first."};
  if (can_continue(run)) {
    return {.label = "Continue",
            .icon = icon::kPlay,
            .asks = Request(ContinueRun{.run_folder = run.request->run_folder})};
  }
  return {
      .label = "New run", .icon = icon::kRefresh, .asks = Request(NewRun{.like = *run.request})};
}

}  // namespace

bool can_continue(const run::RunSnapshot& run) {
  if (!run.request.has_value()) return false;
  if (run.state == RunState::failed) return run.error.has_value() && run.error->saved_step > 0;
  return run.state == RunState::finished && run.outcome == run::Outcome::stopped &&
         run.steps_done > 0;
}

RunAction primary_action(const run::RunSnapshot& run, std::string_view start_refusal) {
  switch (run.state) {
    case RunState::ready:
      if (!start_refusal.empty())
        return {.label = "Start", .icon = icon::kPlay, .refusal = std::string(start_refusal)};
      [[fallthrough]];
    case RunState::empty:
      return commanded(run, "Start", icon::kPlay, run::StartRun{});
    case RunState::paused:
      return commanded(run, "Resume", icon::kPlay, run::Resume{});
    case RunState::finished:
    case RunState::failed:
      return after_run(run);
    case RunState::preparing:
    case RunState::training:
    case RunState::validating:
    case RunState::stopping:
      break;
  }
  return commanded(run, "Pause", icon::kPause, run::Pause{});
}

const char* state_title(const run::RunSnapshot& run) {
  if (run.state == RunState::finished && run.outcome == run::Outcome::stopped) return "Stopped";
  constexpr std::array<const char*, run::kRunStates> kTitles = {
      "No run",     "Ready",  "Preparing", "Training", "Paused",
      "Validating", "Saving", "Finished",  "Failed"};
  return kTitles[static_cast<std::size_t>(run.state)];
}

std::string run_title(const run::RunSnapshot& run) {
  if (!run.request.has_value()) return {};
  const std::string name = base::name_of_folder(run.request->run_folder);
  return name.empty() ? base::name_of_folder(run.request->data_folder) : name;
}

}  // namespace headroom::ui
