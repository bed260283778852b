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

/// Peak of the first step, optimizer's state included, and of validation, run under the budget;
/// nothing where memory was refused. Throws base::Error (interrupted).
[[nodiscard]] std::optional<std::int64_t> peak_of_step(const FitCheckRequest& request,
                                                       const plan::BatchShape& shape,
                                                       const plan::Plan& plan,
                                                       const std::stop_token& stop);

struct FitCheck {
  /// The cell that ran: the one asked for or, where that failed, the next smaller one. Nothing:
  /// neither did.
  std::optional<plan::FitCell> verified{};
  std::int64_t measured_peak_bytes = 0;  ///< of its step and of validation
  bool next_fails = false;               ///< the next size up was run and memory was refused
  std::string next_text{};               ///< what became of the next size up
  std::int64_t probes = 0;               ///< sizes that were run, one step each; at most 2
};

/// `cell` fits. Throws base::Error (interrupted).
[[nodiscard]] FitCheck check_fit(const FitCheckRequest& request, const plan::FitCell& cell,
                                 const std::stop_token& stop);

}  // namespace headroom::app
