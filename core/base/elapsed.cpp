#include "core/base/elapsed.hpp"

#include <ctime>

namespace headroom::base {

double thread_cpu_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace headroom::base
