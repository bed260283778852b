#pragma once
// Measures what a step of a network costs on this machine: a few small steps under plans that,
// together, show every combination of policies that matters, at three sizes each. Worker thread;
// for as long as it runs, nothing else may use the device.

#include <cstdint>
#include <functional>
#include <stop_token>

#include "core/base/settings.hpp"
#include "core/plan/step_costs.hpp"
#include "core/train/model_factory.hpp"

namespace headroom::train {

struct CalibrationOptions {
  base::Settings settings{};  ///< model and step; tile and batch do not matter, nor does the budget
  std::function<void(std::int64_t plans)> on_progress{};  ///< recorded so far
};

struct Calibration {
  plan::StepCosts costs{};
  std::int64_t live_before_bytes = 0;  ///< before a step: parameters, buffers, optimizer state
  double seconds = 0;                  ///< that it took
  std::int64_t plans = 0;              ///< whose bytes were recorded
  double worst_bytes_error = 0;        ///< |predicted / measured - 1| of plans recorded as a check
};

/// Throws base::Error: usage where the device cannot tell of single allocations (a GPU),
/// interrupted when `stop` was requested, out_of_memory.
[[nodiscard]] Calibration calibrate(const CalibrationOptions& options,
                                    const ModelFactory& make_model, std::stop_token stop);

}  // namespace headroom::train
