#include "core/base/process_memory.hpp"

#include <fstream>
#include <string>

namespace headroom::base {

std::int64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  status.imbue(std::locale::classic());
  std::string word;
  while (status >> word) {
    if (word == "VmHWM:") {
      std::int64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  }
  return 0;
}

void reset_peak_resident_bytes() {
  // 5: "reset the peak resident set size", proc(5).
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace headroom::base
