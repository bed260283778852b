#pragma once
// What can be done next with a run, by its state: the one primary action that the top bar and the
// notices offer. No drawing; the UI thread.

#include <string>
#include <string_view>
#include <variant>

#include "core/run/command.hpp"
#include "core/run/snapshot.hpp"
#include "ui/request.hpp"

namespace headroom::ui {

struct RunAction {
  std::string label{};
  const char* icon = nullptr;
  std::variant<std::monostate, run::Command, Request> asks{};  ///< nothing: it is refused
  std::string refusal{};                                       ///< not empty: why
};

/// Start, Pause, Resume, Continue, New run; what cannot be done yet is there with its reason.
/// `start_refusal` not empty: why a run that is ready cannot be started.
[[nodiscard]] RunAction primary_action(const run::RunSnapshot& run,
                                       std::string_view start_refusal = {});

/// "Training", "Stopped", …; for people.
[[nodiscard]] const char* state_title(const run::RunSnapshot& run);

/// A run that was stopped or that failed with its state saved goes on from there.
[[nodiscard]] bool can_continue(const run::RunSnapshot& run);

/// Name of the run's folder, or of the data's while no run folder is chosen; may be empty.
[[nodiscard]] std::string run_title(const run::RunSnapshot& run);

}  // namespace headroom::ui
