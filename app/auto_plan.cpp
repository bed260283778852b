#include "app/auto_plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "app/budget_fit.hpp"
#include "app/step_calibration.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/error.hpp"
#include "core/plan/cost_model.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"

namespace headroom::app {
namespace {

class Choice {
 public:
  Choice(const AutoPlanRequest& request, std::stop_token stop)
      : request_(request),
        settings_(train::for_generated_input(request.settings)),
        stop_(std::move(stop)) {}

  plan::Plan choose() {
    const plan::Plan keep(plan::unet_stage_names(settings_.model.levels).size(),
                          plan::Policy::keep);
    if (keep_bytes_bound(settings_) <= request_.budget_bytes) return keep;
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
    const std::int64_t most = limits.usable_bytes() - limits.margin_bytes;
    if (at_keep && at_keep->peak_total_bytes <= most) {
      tell_choice({keep, *at_keep}, calibration.costs.stages);
      return keep;
    }
    const plan::FitCell cell = plan::fit_cell(calibration.costs, shape, limits, stop_);
    if (cell.fits()) {
      tell_choice(*cell.cheapest, calibration.costs.stages);
      return cell.cheapest->plan;
    }
    const auto fewer = fewer_tiles_at_once(calibration.costs, shape, limits);
    if (!fewer || !request_.may_split_batch) throw no_plan_fits(calibration.costs, shape, limits);
    tell(base::Severity::warning,
         fmt::format("no plan fits batch {} at once, {} would; the batch is computed in parts",
                     shape.batch, fewer->shape.batch));
    tell_choice(*fewer->cheapest, calibration.costs.stages);
    return fewer->cheapest->plan;
  }

 private:
  void tell(base::Severity severity, std::string message) const {
    if (request_.on_message) request_.on_message(severity, std::move(message));
  }

  void tell_choice(const plan::PlanChoice& chosen, const std::vector<std::string>& stages) const {
    tell(base::Severity::info,
         fmt::format("plan auto: {}; predicted peak {} of {}, predicted {} a step",
                     plan::to_string(chosen.plan, stages),
                     base::format_bytes(chosen.predicted.peak_total_bytes),
                     base::format_bytes(request_.budget_bytes),
                     base::format_duration(chosen.predicted.seconds_per_step)));
  }

  StepCalibration calibrate() {
    CalibrationRequest calibration{.settings = settings_};
    calibration.on_progress = [this](std::int64_t steps) {
      if (steps == 1)
        tell(base::Severity::info,
             "plan auto: measuring once what a step of this network costs; this takes seconds");
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
