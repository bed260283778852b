#pragma once
// Time that has passed, on the wall and on the processor. Any thread.

#include <chrono>

namespace headroom::base {

[[nodiscard]] inline double seconds_between(std::chrono::steady_clock::time_point from,
                                            std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}
/// Of processor time that the calling thread has used.
[[nodiscard]] double thread_cpu_seconds();

}  // namespace headroom::base
