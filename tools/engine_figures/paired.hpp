#pragma once
// Two things timed in turns, so that what disturbs the machine disturbs both.

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/base/elapsed.hpp"
#include "tools/median.hpp"

namespace headroom {

struct PairedSeconds {
  double first = 0, second = 0;  ///< medians
  double difference = 0;         ///< median of first - second within the pairs
};

/// Times both `pairs` times; every second pair begins with the second.
template <typename First, typename Second>
[[nodiscard]] PairedSeconds time_in_turns(std::int64_t pairs, First first, Second second) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_of = [](auto& call) {
    const auto begin = Clock::now();
    call();
    return base::seconds_between(begin, Clock::now());
  };
  std::vector<double> of_first, of_second, differences;
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    if (pair % 2 == 0) {
      of_first.push_back(seconds_of(first));
      of_second.push_back(seconds_of(second));
    } else {
      of_second.push_back(seconds_of(second));
      of_first.push_back(seconds_of(first));
    }
    differences.push_back(of_first.back() - of_second.back());
  }
  return {median(of_first), median(of_second), median(differences)};
}

}  // namespace headroom
