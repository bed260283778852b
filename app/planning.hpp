#pragma once
// What `plan` and `fit` start from: settings, budget and a calibration, with progress shown. Called
// on the main thread.

#include <filesystem>
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
  std::string device{}, precision{};
  plan::FitLimits limits{};
  StepCalibration calibration{};
};

struct PlanningRequest {
  /// Classes and channels are those of this folder; empty: of generated input.
  const std::filesystem::path& data;
  const GivenSettings& given;
  const OutputOptions& output;
  std::int64_t reserve_bytes = 0;
  bool recalibrate = false;
};

/// Throws base::Error.
[[nodiscard]] Planning prepare_planning(const PlanningRequest& request, ProgressDisplay& display,
                                        const std::stop_token& stop);

/// What was planned for, on what, and by which calibration: two lines.
[[nodiscard]] std::string heading(const Planning& planning, const std::string& size);

/// How far a prediction is from what was measured: "+0.02 %".
[[nodiscard]] std::string error_text(double predicted, double measured);

}  // namespace headroom::app
