#pragma once
// What a run will be, before it starts: what was understood of the data, and every setting of the
// schema as a field. Shown in the place of the training charts. The UI thread.

#include <filesystem>
#include <map>
#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct RunSettingsState {
  bool shows_all = false;
  std::filesystem::path run_folder{}, data_folder{};  ///< of the run that the rest is about
  std::map<std::string, std::string> typed{};     ///< by key: what is in a field while it differs
  std::map<std::string, std::string> problems{};  ///< by key: why that was not taken
  std::string data_refusal{};  ///< why a run on the data cannot be started; empty: it can
};

/// Forgets what was typed for another run. To be called in every frame, before anything asks.
void follow_request(const run::RunSnapshot& run, RunSettingsState& state);

/// Why the run cannot be started with what is typed and on its data; empty: it can.
[[nodiscard]] std::string start_refusal(const RunSettingsState& state);

/// Draws into the current window. A value that is taken becomes the command Configure with the
/// whole request.
void draw_run_settings(const Frame& frame, RunSettingsState& state);

}  // namespace headroom::ui
