#pragma once
// What a run's record says about where it ran. Any thread.

#include <map>
#include <string>

namespace headroom::app {

/// "torch", "gdal", "cpu", "cores", "memory", "system": versions and names as text.
[[nodiscard]] std::map<std::string, std::string> describe_environment();

}  // namespace headroom::app
