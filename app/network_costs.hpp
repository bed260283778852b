#pragma once
// What a step of a run's network costs on this machine, as the dashboard asks for it. Each function
// says on which thread.

#include <optional>
#include <stop_token>

#include "core/run/calibration.hpp"

namespace headroom::app {

/// Worker thread: measures it. Throws base::Error: usage where the device cannot be calibrated,
/// interrupted, out_of_memory.
[[nodiscard]] plan::StepCosts measure_costs(const base::Settings& settings,
                                            const run::CalibrationProgress& on_progress,
                                            std::stop_token stop);

}  // namespace headroom::app
