#include "tests/ui/sample_outlook.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/run/plan_forecast.hpp"
#include "ui/outlook.hpp"
#include "ui/plan_edit.hpp"

namespace headroom::tests {
namespace {

using plan::Policy;

constexpr double kPeakError = 1.004, kTimeError = 0.97;
constexpr double kOtherBytes = 180.0 * 1024 * 1024;

plan::CostTable always(const plan::Affine& value) { return {.by_combination = {{value}}}; }

/// Beside Keep and Full of the sample: Light keeps half and repeats a little.
double share_kept(Policy policy) {
  if (policy == Policy::keep) return 1;
  return policy == Policy::light ? 0.5 : 0.2;
}
double share_of_time(Policy policy) {
  if (policy == Policy::keep) return 1;
  return policy == Policy::light ? 1.06 : 1.33;
}

}  // namespace

plan::StepCosts sample_costs(const SampleRun& sample) {
  const auto pixels = static_cast<double>(sample.tile * sample.tile * sample.batch);
  plan::StepCosts costs;
  costs.stages = plan::unet_stage_names(sample.levels);
  costs.policies = {Policy::keep, Policy::light, Policy::full};
  costs.stride = std::int64_t{1} << (sample.levels - 1);
  plan::StepMoment moment{.phase = plan::Phase::backward,
                          .owner = static_cast<int>(costs.stages.size()) - 1};
  const double working = static_cast<double>(kept_bytes_of(sample, 0, Policy::keep)) / 3 / pixels;
  moment.bytes.push_back(
      always({.constant = kOtherBytes * kPeakError, .per_pixel = working * kPeakError}));
  for (std::size_t stage = 0; stage < costs.stages.size(); ++stage) {
    const double kept =
        static_cast<double>(kept_bytes_of(sample, stage, Policy::keep)) / pixels * kPeakError;
    const double seconds = seconds_of_stage(sample, stage) / pixels * kTimeError;
    plan::CostTable bytes{.stages = {stage}}, time{.stages = {stage}};
    for (const Policy policy : costs.policies) {
      bytes.by_combination.push_back({{.per_pixel = kept * share_kept(policy)}});
      // Small batches keep the processor less busy.
      time.by_combination.push_back({{.constant = 0.02 * seconds * pixels,
                                      .per_pixel = 0.96 * seconds * share_of_time(policy),
                                      .per_image_pixel = 0.04 * seconds}});
    }
    moment.bytes.push_back(std::move(bytes));
    costs.seconds.push_back(std::move(time));
  }
  costs.moments.push_back(std::move(moment));
  costs.seconds.push_back(always({.constant = 0.013}));
  return costs;
}

ui::Outlook sample_outlook(const SampleRun& sample, const run::RunSnapshot& run,
                           std::vector<plan::Plan> others) {
  run::ForecastQuestion question{
      .costs = std::make_shared<const plan::StepCosts>(sample_costs(sample)),
      .shape = {.batch = sample.batch, .height = sample.tile, .width = sample.tile},
      .limits = run::forecast_limits(sample.budget_bytes),
      .plans = {ui::plan_of(run)}};
  for (const ui::MeasuredPlan& measured : ui::measured_plans(run)) {
    if (measured.plan != question.plans.front()) question.plans.push_back(measured.plan);
  }
  for (plan::Plan& plan : others) question.plans.push_back(std::move(plan));
  return {.costs = ui::CostsState::known,
          .plans = std::make_shared<const run::PlanForecast>(run::forecast_plans(question)),
          .fits = std::make_shared<const run::FitForecast>(run::forecast_fits(question))};
}

}  // namespace headroom::tests
