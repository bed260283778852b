#pragma once
// Of repeated measurements. Pure.

#include <algorithm>
#include <vector>

namespace headroom {

/// The upper one of the two in the middle of an even count; `values` is not empty.
[[nodiscard]] inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace headroom
