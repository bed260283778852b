#include "app/auto_plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/budget_fit.hpp"
#include "app/step_calibration.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/error.hpp"
#include "core/plan/cost_model.hpp"
#include "core/plan/planner.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"

namespace headroom::app {
namespace {

/// Above what a U-Net keeps with every stage at Keep; measured were 84 bytes per pixel and base
/// channel. It spares calibrating where there is plenty of memory.
double keep_bytes_bound(const base::Settings& settings) {
  constexpr double kPerChannel = 256, kPerClass = 64, kPerParameter = 32;
  const base::ModelSettings& model = settings.model;
  const plan::BatchShape shape = shape_of(settings.step);
  const auto pixels = static_cast<double>(
      plan::padded_pixels(shape.batch, shape.height, shape.width, std::int64_t{1} << model.levels));
  const auto base_channels = static_cast<double>(model.base_channels);
  const double parameters = 8 * std::pow(4.0, model.levels) * base_channels * base_channels;
  return pixels * (kPerChannel * base_channels +
                   kPerClass * static_cast<double>(model.classes + model.channels)) +
         kPerParameter * parameters;
}

class Choice {
 public:
  Choice(const AutoPlanRequest& request, std::stop_token stop)
      : request_(request),
        settings_(train::for_generated_input(request.settings)),
        stop_(std::move(stop)) {}

  plan::Plan choose() {
    const plan::Plan keep(plan::unet_stage_names(settings_.model.levels).size(),
                          plan::Policy::keep);
    if (keep_bytes_bound(settings_) <= static_cast<double>(request_.budget_bytes)) return keep;
    if (!train::resolve_device(settings_.step.device).is_cpu()) {
      tell(base::Severity::info, "plan auto: Keep; on a GPU no other is chosen");
      return keep;
    }
    const StepCalibration calibration = calibrate();
    const plan::BatchShape shape = shape_of(settings_.step);
    const plan::FitLimits limits = limits_of(request_.budget_bytes);
    const plan::SizedCosts costs =
        plan::costs_at(calibration.costs, plan::pixels_of(shape, calibration.costs.stride));
    const auto at_keep = plan::predict(costs, keep);
    if (at_keep && at_keep->peak_total_bytes <= limits.usable_bytes()) {
      tell_choice({keep, *at_keep}, calibration.costs.stages);
      return keep;
    }
    const auto chosen = plan::cheapest_plan(costs, limits.usable_bytes(), stop_);
    if (!chosen) throw no_plan_fits(calibration.costs, shape, limits);
    tell_choice(*chosen, calibration.costs.stages);
    return chosen->plan;
  }

 private:
  void tell(base::Severity severity, std::string message) const {
    if (request_.on_message) request_.on_message(severity, std::move(message));
  }

  void tell_choice(const plan::PlanChoice& chosen, const std::vector<std::string>& stages) const {
    tell(base::Severity::info,
         fmt::format("plan auto: {}; predicted peak {} of {}, {} a step",
                     plan::to_string(chosen.plan, stages),
                     base::format_bytes(chosen.predicted.peak_total_bytes),
                     base::format_bytes(request_.budget_bytes),
                     base::format_duration(chosen.predicted.seconds_per_step)));
  }

  StepCalibration calibrate() {
    CalibrationRequest calibration{.settings = settings_};
    calibration.on_progress = [this](std::int64_t plans) {
      if (plans == 1)
        tell(base::Severity::info,
             "plan auto: measuring what a step of this network costs, once; this takes seconds");
    };
    calibration.on_warning = [this](const std::string& message) {
      tell(base::Severity::warning, message);
    };
    return calibrate_step(calibration, stop_);
  }

  const AutoPlanRequest& request_;
  base::Settings settings_;
  std::stop_token stop_;
};

}  // namespace

plan::Plan choose_auto_plan(const AutoPlanRequest& request, std::stop_token stop) {
  return Choice(request, std::move(stop)).choose();
}

}  // namespace headroom::app
