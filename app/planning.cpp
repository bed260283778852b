#include "app/planning.hpp"

#include <fmt/format.h>

#include "app/budget_fit.hpp"
#include "app/dataset_scan.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/precision.hpp"

namespace headroom::app {
namespace {

base::Settings settings_of(const PlanningRequest& request, ProgressDisplay& display,
                           const std::stop_token& stop) {
  base::Settings settings = request.given.applied_to({});
  if (request.data.empty()) return train::for_generated_input(std::move(settings));
  const auto show = [&display](const formats::ScanProgress& scan) {
    display.update(progress_of(scan), ProgressDisplay::Clock::now());
  };
  const formats::Dataset dataset = scan_folder(request.data, settings.data, show, stop);
  formats::require_usable(dataset.summary);
  train::resolve_counts(settings.model, dataset.mapping.classes(), dataset.summary.channels);
  display.restart();
  return settings;
}

void check_reserve(std::int64_t reserve_bytes, std::int64_t budget_bytes) {
  if (reserve_bytes < budget_bytes) return;
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "planning for a budget",
       .subject = fmt::format("--reserve {}, but the budget is {}",
                              base::format_bytes(reserve_bytes), base::format_bytes(budget_bytes)),
       .remedy = "Give a smaller --reserve, or a larger --budget"});
}

StepCalibration calibrated(const Planning& planning, const PlanningRequest& request,
                           ProgressDisplay& display, const std::stop_token& stop) {
  base::Log log(request.output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  const CalibrationRequest calibration{
      .settings = planning.settings,
      .use = request.recalibrate ? CalibrationUse::always_new : CalibrationUse::stored_or_new,
      .on_progress =
          [&display](std::int64_t steps) {
            display.update(make_progress("calibrating, steps", steps, 0),
                           ProgressDisplay::Clock::now());
          },
      .on_warning =
          [&](const std::string& message) {
            display.clear();
            log.warning(message);
          }};
  return calibrate_step(calibration, stop);
}

}  // namespace

Planning prepare_planning(const PlanningRequest& request, ProgressDisplay& display,
                          const std::stop_token& stop) {
  Planning planning{.settings = settings_of(request, display, stop)};
  const base::StepSettings& step = planning.settings.step;
  const auto device = train::resolve_device(step.device);
  const std::int64_t budget = train::resolve_budget(step.budget_bytes, device);
  check_reserve(request.reserve_bytes, budget);
  planning.limits = limits_of(budget, request.reserve_bytes);
  planning.precision = train::name_of(train::resolve_precision(step.precision, device));
  planning.calibration = calibrated(planning, request, display, stop);
  planning.device = train::describe(device);
  display.clear();
  display.restart();
  return planning;
}

std::string heading(const Planning& planning, const std::string& size) {
  const base::ModelSettings& model = planning.settings.model;
  const double seconds = planning.calibration.seconds;
  std::string text = fmt::format(
      "{}, {}; levels {}, base channels {}, {} channels, {} classes; {}\n", planning.device,
      planning.precision, model.levels, model.base_channels, model.channels, model.classes,
      seconds > 0 ? "calibrated in " + base::format_duration(seconds) : "calibrated before");
  text += fmt::format("{}budget {}", size, base::format_bytes(planning.limits.budget_bytes));
  if (planning.settings.step.budget_bytes == 0)
    text += ", 70 % of the memory available, as none is given";
  if (planning.limits.reserve_bytes > 0) {
    text += fmt::format(", {} of it in reserve for others",
                        base::format_bytes(planning.limits.reserve_bytes));
  }
  return text + '\n';
}

std::string error_text(double predicted, double measured) {
  return fmt::format("{:+.2f} %", 100 * (predicted / measured - 1));
}

}  // namespace headroom::app
