#pragma once
// Plans drawn at random, the same for the same seed. Pure.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/plan.hpp"

namespace headroom::train {

/// The plan number `index` (from 0) of the seed, for so many stages; every policy is equally
/// likely. `policies` is not empty.
[[nodiscard]] plan::Plan random_plan(const std::vector<plan::Policy>& policies, std::size_t stages,
                                     std::int64_t seed, std::int64_t index);

}  // namespace headroom::train
