#pragma once
// A size that is predicted to fit, and what became of it when steps of it ran. Values and a
// function type; app gives the function.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::run {

struct FitCheckRequest {
  base::Settings settings{};  ///< of the network, as settings_of_costs has them
  plan::FitCell cell{};       ///< one that fits
  plan::FitLimits limits{};
  std::shared_ptr<const plan::StepCosts> costs{};  ///< never null
};

struct FitCheckReport {
  std::string cost_key{};  ///< of the network
  plan::BatchShape shape{};
  plan::Plan plan{};
  std::int64_t budget_bytes = 0;
  std::optional<std::int64_t> peak_bytes{};  ///< measured; nothing: the steps did not fit
};

/// Runs steps of the cell's size and plan under the budget; gives `peak_bytes`. Worker thread.
/// Throws base::Error; kind interrupted when stop was requested.
using FitCheckFunction =
    std::function<std::optional<std::int64_t>(const FitCheckRequest&, std::stop_token)>;

}  // namespace headroom::run
