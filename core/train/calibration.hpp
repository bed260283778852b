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
  std::function<void(std::int64_t steps)> on_progress{};  ///< run so far; may be empty
};

struct Calibration {
  plan::StepCosts costs{};
  /// Before a step: parameters, buffers, optimizer state, the first micro-batch.
  plan::Affine live_before_bytes{};
  double seconds = 0;            ///< that it took
  std::int64_t plans = 0;        ///< whose bytes the costs are made of
  double worst_bytes_error = 0;  ///< |predicted / measured - 1| of plans that were run as a check
};

/// Throws base::Error: usage where the device cannot tell of single allocations (a GPU),
/// interrupted when `stop` was requested, out_of_memory.
[[nodiscard]] Calibration calibrate(const CalibrationOptions& options,
                                    const ModelFactory& make_model, std::stop_token stop);

}  // namespace headroom::train
