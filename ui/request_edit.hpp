#pragma once
// What a person has asked a run to be before it starts, while the run has not shown it yet: each
// change starts from the one before, however quickly they come. No drawing; the UI thread.

#include <optional>

#include "core/run/command.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::ui {

class RequestEdit {
 public:
  /// To be called before anything else in each frame. What was asked for is forgotten when the run
  /// has taken it, is another one, or has started.
  void observe(const run::RunSnapshot& run);

  /// What counts for the person: what was asked for last, else what the run has. `run` has a
  /// request.
  [[nodiscard]] const run::RunRequest& latest(const run::RunSnapshot& run) const;

  /// The command that asks for `request`.
  [[nodiscard]] run::Configure ask(run::RunRequest request);

 private:
  std::optional<run::RunRequest> asked_{};
};

}  // namespace headroom::ui
