#include "app/planning.hpp"

#include <fmt/format.h>

#include <utility>

#include "app/budget_fit.hpp"
#include "core/base/duration.hpp"
#include "core/base/log.hpp"
#include "core/train/device.hpp"

namespace headroom::app {

Planning prepare_planning(const PlanningRequest& request, ProgressDisplay& display,
                          std::stop_token stop) {
  Planning planning{.settings = request.given.applied_to({})};
  const base::StepSettings& step = planning.settings.step;
  const auto device = train::resolve_device(step.device);
  planning.limits = limits_of(train::resolve_budget(step.budget_bytes, device));
  base::Log log(request.output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  const CalibrationRequest calibration{
      .settings = planning.settings,
      .use = request.recalibrate ? CalibrationUse::always_new : CalibrationUse::stored_or_new,
      .on_progress =
          [&display](std::int64_t plans) {
            display.update(make_progress("calibrating, plans", plans, 0),
                           ProgressDisplay::Clock::now());
          },
      .on_warning =
          [&](const std::string& message) {
            display.clear();
            log.warning(message);
          }};
  planning.calibration = calibrate_step(calibration, std::move(stop));
  planning.device = train::describe(device);
  display.clear();
  display.restart();
  return planning;
}

std::string calibration_text(const StepCalibration& calibration) {
  if (calibration.seconds > 0)
    return fmt::format("calibrated in {}", base::format_duration(calibration.seconds));
  return "calibrated before";
}

std::string error_text(double predicted, double measured) {
  return fmt::format("{:+.2f} %", 100 * (predicted / measured - 1));
}

}  // namespace headroom::app
