#pragma once
// How much memory this process may use: the machine's, or less where a control group (container,
// batch system) limits it. Any thread.

#include <cstdint>
#include <filesystem>

namespace headroom::base {

struct MachineMemory {
  std::int64_t total_bytes = 0;      ///< the machine's, or the tightest limit above this process
  std::int64_t available_bytes = 0;  ///< what can be had now without swapping
};

/// From /proc/meminfo, and memory limits of control groups v1 and v2 under `root`. Throws Error
/// (io) when /proc/meminfo cannot be read. `root` stands in for "/" in tests.
[[nodiscard]] MachineMemory read_machine_memory(const std::filesystem::path& root = "/");

}  // namespace headroom::base
