#pragma once
// What the dashboard asks of a run's network on this machine: what a step of it costs, and whether
// a size fits in truth. Each function says on which thread.

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/run/calibration.hpp"
#include "core/run/fit_check.hpp"

namespace headroom::app {

/// Worker thread: measured before, or measured now. Throws base::Error: usage where the device
/// cannot be calibrated, interrupted, out_of_memory.
[[nodiscard]] plan::StepCosts measure_costs(const base::Settings& settings,
                                            const run::CalibrationProgress& on_progress,
                                            std::stop_token stop);

/// Any thread: measured before; nothing where it was not. Touches no tensor.
[[nodiscard]] std::optional<plan::StepCosts> find_costs(const base::Settings& settings);

/// Worker thread: the peak of a step of the cell's size and plan under the budget; nothing where
/// memory was refused. Throws base::Error (interrupted).
[[nodiscard]] std::optional<std::int64_t> measure_fit(const run::FitCheckRequest& request,
                                                      std::stop_token stop);

}  // namespace headroom::app
