#include "core/base/process_memory.hpp"

#include <fstream>
#include <string>

namespace headroom::base {

namespace {

/// A line of /proc/self/status, proc(5); 0 where there is none.
std::int64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  status.imbue(std::locale::classic());
  std::string word;
  while (status >> word) {
    if (word == key) {
      std::int64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

}  // namespace

std::int64_t resident_bytes() { return status_bytes("VmRSS:"); }

std::int64_t peak_resident_bytes() { return status_bytes("VmHWM:"); }

void reset_peak_resident_bytes() {
  // 5: "reset the peak resident set size", proc(5).
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace headroom::base
