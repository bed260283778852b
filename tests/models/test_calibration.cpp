// What calibration predicts, against the measured peaks of real steps that it never saw.

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stop_token>

#include "core/plan/cost_model.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/step_costs_json.hpp"
#include "core/train/calibration.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/random_plans.hpp"
#include "models/unet.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::models {
namespace {

base::Settings small_settings() {
  base::Settings settings;
  settings.model.levels = 3;
  settings.model.base_channels = 4;
  settings.step.precision = base::Precision::fp32;
  settings.step.threads = 1;  // more would wait for each other longer than they compute
  return settings;
}

train::Calibration calibrated(const base::Settings& settings) {
  return train::calibrate({.settings = settings}, make_model, {});
}

/// Real steps of random plans; `settings` with batch and tile.
void expect_predicted_peaks(const plan::StepCosts& costs, const base::Settings& settings) {
  constexpr int kPlans = 10;
  constexpr double kTolerance = 0.005;
  const plan::BatchShape shape = {settings.step.batch, settings.step.tile_height,
                                  settings.step.tile_width};
  const plan::SizedCosts sized = plan::costs_at(costs, plan::pixels_of(shape, costs.stride));
  train::GeneratedTask task(settings, make_model);
  for (int number = 1; number <= kPlans; ++number) {
    const plan::Plan plan =
        train::random_plan(costs.policies, costs.stages.size(), /*seed=*/7, number);
    task.model().set_plan(plan);
    const auto measured = static_cast<double>(task.step(number, {}).measured.peak_total_bytes);
    const auto predicted = plan::predict(sized, plan);
    ASSERT_TRUE(predicted);
    EXPECT_NEAR(static_cast<double>(predicted->peak_total_bytes) / measured, 1, kTolerance)
        << shape.batch << " of " << shape.height << 'x' << shape.width << ", "
        << plan::to_string(plan, costs.stages);
  }
}

void expect_predicted_peaks_of_larger_steps(const plan::StepCosts& costs, base::Settings settings) {
  settings.step.batch = 1;
  settings.step.tile_height = 448;
  settings.step.tile_width = 512;
  expect_predicted_peaks(costs, settings);
  settings.step.batch = 3;
  settings.step.tile_height = settings.step.tile_width = 288;
  expect_predicted_peaks(costs, settings);
}

TEST(Calibrate_SmallNetwork, LargerSizesAndBatches_PeakAsPredicted) {
  const train::Calibration calibration = calibrated(small_settings());
  ASSERT_TRUE(plan::is_consistent(calibration.costs));
  expect_predicted_peaks_of_larger_steps(calibration.costs, small_settings());
  const auto text = plan::to_json(calibration.costs).dump();
  EXPECT_EQ(plan::step_costs_from_json(nlohmann::json::parse(text)), calibration.costs);
}

TEST(Calibrate_AccumulationGroupNormAndBf16, LargerSizesAndBatches_PeakAsPredicted) {
  base::Settings settings = small_settings();
  settings.model.norm = base::NormKind::group;
  settings.step.precision = base::Precision::bf16;
  settings.step.accumulate = 2;
  expect_predicted_peaks_of_larger_steps(calibrated(settings).costs, settings);
}

TEST(Calibrate_OtherTensorsSizeAndBudget, ChangeNoBytes) {
  base::Settings settings = small_settings();
  settings.model.levels = 2;
  const plan::StepCosts alone = calibrated(settings).costs;
  const at::Tensor other = at::zeros({1 << 24});
  settings.step.batch = 5;
  settings.step.tile_height = settings.step.tile_width = 64;
  settings.step.budget_bytes = 1;
  const plan::StepCosts beside = calibrated(settings).costs;
  EXPECT_EQ(beside.moments, alone.moments);
  EXPECT_EQ(beside.validation_bytes, alone.validation_bytes);
}

TEST(Calibrate_Stopped, EndsAsInterrupted) {
  std::stop_source stop;
  std::int64_t recorded = 0;
  const train::CalibrationOptions options{.settings = small_settings(),
                                          .on_progress = [&](std::int64_t plans) {
                                            recorded = plans;
                                            if (plans == 2) stop.request_stop();
                                          }};
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(train::calibrate(options, make_model, stop.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
  EXPECT_EQ(recorded, 2);
}

}  // namespace
}  // namespace headroom::models
