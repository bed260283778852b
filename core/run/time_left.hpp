#pragma once
// How long a run will take from here on. Pure; any thread.

#include <optional>

#include "core/run/snapshot.hpp"

namespace headroom::run {

/// Seconds of the steps that are left, each as long as the median of the last ones under the plan
/// in force, and of the validations that are left, each as long as the mean of those that were;
/// without them as long as there was none. Nothing before the first step, and where no run is under
/// way.
[[nodiscard]] std::optional<double> seconds_left(const RunSnapshot& snapshot);

}  // namespace headroom::run
