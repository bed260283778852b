#pragma once
// What a run's record says about where it ran. Any thread.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace headroom::app {

/// "torch", "gdal", "cpu", "cores", "memory", "system": versions and names as text.
[[nodiscard]] std::map<std::string, std::string> describe_environment();

/// What tells this build from every other: its commit, and where that is not all of it (a tree that
/// differed from the commit, or without git) the size and the time of the program's file too.
[[nodiscard]] std::string describe_build(std::string_view commit,
                                         const std::filesystem::path& program);

}  // namespace headroom::app
