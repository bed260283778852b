#pragma once
// Whole numbers rounded up. Pure; any thread.

#include <cstdint>

namespace headroom::base {

/// How many parts of `size` hold `value`; neither is negative, `size` is not 0.
[[nodiscard]] constexpr std::int64_t divide_up(std::int64_t value, std::int64_t size) {
  return (value + size - 1) / size;
}

/// The smallest multiple of `unit` that is not below `value`.
[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return divide_up(value, unit) * unit;
}

}  // namespace headroom::base
