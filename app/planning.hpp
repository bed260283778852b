#pragma once
// What `plan` and `fit` start from: settings, budget and a calibration, with progress shown. Called
// on the main thread.

#include <stop_token>
#include <string>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/step_calibration.hpp"
#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"

namespace headroom::app {

struct Planning {
  base::Settings settings{};
  std::string device{};
  plan::FitLimits limits{};
  StepCalibration calibration{};
};

struct PlanningRequest {
  const GivenSettings& given;
  const OutputOptions& output;
  bool recalibrate = false;
};

/// Throws base::Error.
[[nodiscard]] Planning prepare_planning(const PlanningRequest& request, ProgressDisplay& display,
                                        std::stop_token stop);

/// "calibrated in 12.3 s", or that it was read.
[[nodiscard]] std::string calibration_text(const StepCalibration& calibration);

/// How far a prediction is from what was measured: "+0.02 %".
[[nodiscard]] std::string error_text(double predicted, double measured);

}  // namespace headroom::app
