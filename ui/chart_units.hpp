#pragma once
// The unit in which a chart counts bytes or seconds, chosen by the largest value. Pure; any thread.

#include <cmath>

namespace headroom::ui {

struct ChartUnit {
  const char* name;
  double size;  ///< bytes or seconds of one unit
};

/// MiB where nothing is known.
[[nodiscard]] inline ChartUnit byte_unit(double largest_bytes) {
  constexpr double kKi = 1024;
  if (!(largest_bytes > 0)) return {"MiB", kKi * kKi};
  if (largest_bytes >= kKi * kKi * kKi) return {"GiB", kKi * kKi * kKi};
  if (largest_bytes >= kKi * kKi) return {"MiB", kKi * kKi};
  return {"KiB", kKi};
}

[[nodiscard]] inline ChartUnit time_unit(double largest_seconds) {
  constexpr double kSecondsFrom = 10;
  if (largest_seconds >= kSecondsFrom) return {"s", 1};
  return {"ms", 1e-3};
}

}  // namespace headroom::ui
