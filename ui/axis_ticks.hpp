#pragma once
// Ticks of an axis: few, at round numbers, with their labels. Pure; any thread.

#include <string>
#include <vector>

namespace headroom::ui {

struct Tick {
  double value = 0;
  std::string label{};
};

inline constexpr int kMostTicks = 5;

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `least`; 1 where that is
/// not a positive number.
[[nodiscard]] double round_step(double least);

/// At multiples of a round step in low … high, both included. Empty where the range is not finite
/// or is empty.
[[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, int most = kMostTicks);

/// At 1, 2 and 5 times powers of ten, or powers of ten alone where those are too many; as
/// linear_ticks where the range holds fewer than two of them. Empty where `low` is not above 0.
[[nodiscard]] std::vector<Tick> log_ticks(double low, double high, int most = kMostTicks);

}  // namespace headroom::ui
