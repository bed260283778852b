#include <gtest/gtest.h>

#include "core/train/schedule.hpp"

namespace headroom::train {
namespace {

using base::ScheduleKind;

TEST(LearningRate, WarmUp_RisesLinearlyToThePeak) {
  const ScheduleOptions schedule{.peak_rate = 2, .warmup = 0.1, .steps = 100};
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 0), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 4), 1.0);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 9), 2.0);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 10), 2.0);
}

TEST(LearningRate, Cosine_IsHalfThePeakHalfWayDownAndAlmostZeroAtTheEnd) {
  const ScheduleOptions schedule{.peak_rate = 1, .warmup = 0.1, .steps = 110};
  const ScheduleOptions even{.peak_rate = 1, .warmup = 0, .steps = 100};
  EXPECT_NEAR(learning_rate(even, 50), 0.5, 1e-12);
  EXPECT_GT(learning_rate(schedule, 109), 0);
  EXPECT_LT(learning_rate(schedule, 109), 1e-3);
  EXPECT_EQ(learning_rate(schedule, 200), 0);
}

TEST(LearningRate, Poly_FollowsThePower) {
  const ScheduleOptions schedule{
      .kind = ScheduleKind::poly, .peak_rate = 1, .warmup = 0, .steps = 100};
  EXPECT_NEAR(learning_rate(schedule, 50), 0.535886731268146, 1e-12);  // 0.5^0.9
  EXPECT_EQ(learning_rate(schedule, 100), 0);
}

TEST(LearningRate, Constant_IsThePeakFromTheFirstStep) {
  const ScheduleOptions schedule{
      .kind = ScheduleKind::constant, .peak_rate = 0.5, .warmup = 0.5, .steps = 10};
  EXPECT_EQ(learning_rate(schedule, 0), 0.5);
  EXPECT_EQ(learning_rate(schedule, 9), 0.5);
}

TEST(LearningRate, OneStepRun_HasAPositiveRate) {
  EXPECT_GT(learning_rate({.peak_rate = 1, .warmup = 0.1, .steps = 1}, 0), 0);
}

TEST(RunLength, NothingSet_HundredEpochsAtMostTwoThousandSteps) {
  EXPECT_EQ(run_length({}, 7, 1).steps, 700);
  EXPECT_EQ(run_length({}, 30, 1).steps, 2000);
}

TEST(RunLength, Epochs_CountStepsOfSeveralMicroBatches) {
  base::TrainSettings settings;
  settings.epochs = 3;
  const RunLength length = run_length(settings, 10, 4);
  EXPECT_EQ(length.steps_per_epoch, 3);
  EXPECT_EQ(length.steps, 9);
}

TEST(RunLength, Validation_OnceAnEpochAndAtLeastEveryTenthOfTheRun) {
  base::TrainSettings settings;
  settings.steps = 300;
  EXPECT_EQ(run_length(settings, 6, 1).validate_every, 6);
  EXPECT_EQ(run_length(settings, 1000, 1).validate_every, 30);
  settings.validate_every = 50;
  EXPECT_EQ(run_length(settings, 6, 1).validate_every, 50);
}

}  // namespace
}  // namespace headroom::train
