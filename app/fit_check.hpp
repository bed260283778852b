#pragma once
// Whether a training step of the size and plan that the fit map names really runs under the budget,
// and one of the next size up does not. Worker thread; nothing else may use the device.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::app {

struct FitCheckRequest {
  base::Settings settings{};  ///< tile, batch and budget do not matter
  plan::FitLimits limits{};
  const plan::StepCosts& costs;
};

struct FitCheck {
  /// Of the second of two steps: the first makes the optimizer's state. Nothing: it did not run.
  std::optional<std::int64_t> measured_peak_bytes{};
  bool next_fails = false;  ///< the next size up, by the plan of the lowest peak
  std::string next_text{};  ///< what became of the next size up
  std::int64_t probes = 0;  ///< sizes that were run

  [[nodiscard]] bool is_verified() const { return measured_peak_bytes.has_value(); }
};

/// `cell` fits. Throws base::Error (interrupted).
[[nodiscard]] FitCheck check_fit(const FitCheckRequest& request, const plan::FitCell& cell,
                                 const std::stop_token& stop);

}  // namespace headroom::app
