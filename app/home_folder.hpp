#pragma once
// Where the program keeps what nobody named a place for: the generated sample, runs started from
// the dashboard, its preferences, calibrations. Any thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/run_request.hpp"

namespace headroom::app {

/// $HEADROOM_HOME, or headroom in $XDG_DATA_HOME, or .local/share/headroom in $HOME. Nothing when
/// none is set.
[[nodiscard]] std::optional<std::filesystem::path> find_home_folder();
/// The same. Throws base::Error (usage) when none is set.
[[nodiscard]] std::filesystem::path home_folder();

/// A folder in home/runs that is not there yet: "NAME-001".
[[nodiscard]] std::filesystem::path next_run_folder(const std::filesystem::path& home,
                                                    const std::string& name);

/// A run on the generated sample, which is made where it is not there yet: about two minutes on two
/// cores. Throws base::Error (io, interrupted).
[[nodiscard]] run::RunRequest prepare_sample_run(const std::filesystem::path& home,
                                                 std::stop_token stop);

/// A run as its folder tells it.
struct KnownRun {
  std::filesystem::path folder{};
  std::filesystem::path data_folder{};
  std::int64_t steps_done = 0;  ///< in the saved state
  std::int64_t steps = 0;       ///< of the whole run
  std::filesystem::file_time_type saved{};
};

/// Runs in home/runs that have a saved state, finished or not, the latest first, at most `most`.
/// Folders that cannot be read are left out.
[[nodiscard]] std::vector<KnownRun> known_runs(const std::filesystem::path& home,
                                               std::size_t most = 24);

/// All that continuing a run needs, from its folder. Throws base::Error (usage, io) when it is
/// none.
[[nodiscard]] run::RunRequest resume_request(const std::filesystem::path& run_folder);

}  // namespace headroom::app
