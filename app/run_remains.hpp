#pragma once
// What a run that failed before its first step leaves behind, and removing it. Any one thread.

#include <filesystem>

#include "core/run/snapshot.hpp"

namespace headroom::app {

/// A fresh run that was prepared, so that its folder was new or empty, and has nothing worth
/// keeping.
[[nodiscard]] bool left_nothing(const run::RunSnapshot& snapshot);

/// Empties the folder, and removes it where it was not there before. What cannot be removed stays:
/// the failure itself is what is reported.
void remove_remains(const std::filesystem::path& folder, bool was_there);

}  // namespace headroom::app
