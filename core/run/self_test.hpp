#pragma once
// What the self-test at the program's start found: a small proof on this machine that plans do not
// change results. A value.

#include <cstdint>
#include <string>

namespace headroom::run {

struct SelfTestReport {
  std::int64_t plans = 0;  ///< tried
  std::int64_t equal = 0;  ///< that gave the same bits as Keep everywhere, and did repeat
  double seconds = 0;
  std::string problem{};  ///< empty: passed

  [[nodiscard]] bool has_passed() const { return problem.empty() && equal == plans; }
};

}  // namespace headroom::run
