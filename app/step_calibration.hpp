#pragma once
// What a step of a network costs on this machine: measured once, then read from a file in the
// program's home. Worker thread; while it measures, nothing else may use the device.

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/settings.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::app {

struct StepCalibration {
  plan::StepCosts costs{};
  /// Before a step: parameters, buffers, optimizer state, the first micro-batch.
  plan::Affine live_before_bytes{};
  /// That measuring took, where it was measured; 0 where it was read.
  double seconds = 0;
};

enum class CalibrationUse { stored_or_new, always_new };

struct CalibrationRequest {
  /// Classes and channels of 0 are those of generated input. Tile, batch, budget, plan and seed do
  /// not matter.
  base::Settings settings{};
  CalibrationUse use = CalibrationUse::stored_or_new;
  std::function<void(std::int64_t steps)> on_progress{};  ///< run so far; may be empty
  /// A file that cannot be read or written: the calibration is not worth an error. May be empty.
  std::function<void(const std::string& message)> on_warning{};
};

/// Throws base::Error: usage where the device cannot be calibrated, interrupted, out_of_memory.
[[nodiscard]] StepCalibration calibrate_step(const CalibrationRequest& request,
                                             std::stop_token stop);

/// Nothing where it was never measured for this network, build and machine.
[[nodiscard]] std::optional<StepCalibration> find_calibration(const CalibrationRequest& request);

}  // namespace headroom::app
