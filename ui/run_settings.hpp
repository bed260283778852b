#pragma once
// What a run will be, before it starts: what was understood of the data, and every setting of the
// schema as a field. Shown in the place of the training charts. The UI thread.

#include <map>
#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct RunSettingsState {
  bool shows_all = false;
  std::map<std::string, std::string> typed{};     ///< by key: what is in a field while it differs
  std::map<std::string, std::string> problems{};  ///< by key: why it was not taken
};

/// Draws into the current window. A value that is taken becomes the command Configure with the
/// whole request.
void draw_run_settings(const Frame& frame, RunSettingsState& state);

}  // namespace headroom::ui
