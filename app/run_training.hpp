#pragma once
// One training run from the command line, through the controller that the dashboard uses too.
// Called on the main thread.

#include <filesystem>
#include <memory>
#include <string>

#include "app/commands.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::app {

/// Runs until all steps are done or a signal stops it; shows progress on standard error. A run that
/// fails before its first step leaves nothing behind. Throws base::Error.
[[nodiscard]] std::shared_ptr<const run::RunSnapshot> run_to_end(const run::RunRequest& request,
                                                                 const OutputOptions& output);

/// "Continue with: headroom train --resume '…'".
[[nodiscard]] std::string continue_hint(const std::filesystem::path& run_folder);

/// Prints what came of it and returns the exit code.
[[nodiscard]] int report_result(const run::RunSnapshot& snapshot, const OutputOptions& output);

}  // namespace headroom::app
