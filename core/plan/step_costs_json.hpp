#pragma once
// StepCosts as JSON, for the cache of calibrations. Pure; any thread.

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/plan/step_costs.hpp"

namespace headroom::plan {

/// Raised when the meaning of the file changes; another version is not read.
inline constexpr int kStepCostsVersion = 1;

/// Numbers read back exactly.
[[nodiscard]] nlohmann::ordered_json to_json(const StepCosts& costs);

/// Nothing where it is not what to_json wrote, has another version or is not consistent; nothing
/// thrown, whatever it holds.
[[nodiscard]] std::optional<StepCosts> step_costs_from_json(const nlohmann::json& object);

}  // namespace headroom::plan
