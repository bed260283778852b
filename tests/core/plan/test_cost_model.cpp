#include "core/plan/cost_model.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

/// Two stages with Keep and Full; forward of the first, and backward of the second over both.
StepCosts two_stages() {
  StepCosts costs;
  costs.stages = {"enc1", "dec1"};
  costs.policies = {Policy::keep, Policy::full};
  costs.moments = {
      {.phase = Phase::forward,
       .owner = 0,
       .bytes = {{.stages = {}, .by_combination = {{{.constant = 100, .per_pixel = 0}}}},
                 {.stages = {0},
                  .by_combination = {{{.constant = 0, .per_pixel = 3}},
                                     {{.constant = 0, .per_pixel = 1}}}}}},
      {.phase = Phase::backward,
       .owner = 1,
       .bytes = {
           {.stages = {0, 1},
            .by_combination = {{{.constant = 10, .per_pixel = 5}},
                               {{.constant = 10, .per_pixel = 4}},
                               // At 50 pixels the second one takes over.
                               {{.constant = 100, .per_pixel = 1}, {.constant = 0, .per_pixel = 3}},
                               {}}}}}};
  costs.seconds = {{.stages = {}, .by_combination = {{{.constant = 0.5, .per_pixel = 0.01}}}},
                   {.stages = {0},
                    .by_combination = {{{.constant = 0, .per_pixel = 0}},
                                       {{.constant = 0.25, .per_pixel = 0.02}}}}};
  costs.stride = 4;
  return costs;
}

const Plan kKeep = {Policy::keep, Policy::keep};

TEST(PaddedPixels, SidesAreRoundedUpToTheStride) {
  EXPECT_EQ(padded_pixels(3, 5, 8, 4), 3 * 8 * 8);
  EXPECT_EQ(padded_pixels(1, 512, 480, 16), 512 * 480);
  EXPECT_EQ(padded_pixels(2, 1, 1, 1), 2);
}

TEST(Predict, TwoStages_AddsTablesAndTakesTheHighestMoment) {
  const SizedCosts sized = costs_at(two_stages(), {.step = 20});
  const auto keep = predict(sized, kKeep);
  ASSERT_TRUE(keep);
  // Forward 100 + 3 * 20, backward 10 + 5 * 20.
  EXPECT_EQ(keep->peak_total_bytes, 160);
  EXPECT_EQ(keep->peak_phase, Phase::forward);
  EXPECT_EQ(keep->peak_owner, 0);
  EXPECT_EQ(keep->peak_moment, 0U);
  EXPECT_DOUBLE_EQ(keep->seconds_per_step, 0.7);

  const auto full = predict(sized, {Policy::full, Policy::keep});
  ASSERT_TRUE(full);
  // Forward 100 + 20, backward max(100 + 20, 3 * 20): the first of two that are as high.
  EXPECT_EQ(full->peak_total_bytes, 120);
  EXPECT_EQ(full->peak_phase, Phase::forward);
  EXPECT_DOUBLE_EQ(full->seconds_per_step, 0.7 + 0.25 + 0.4);
}

TEST(Predict, PeakAtSeveralMomentsOfOneStretch_TheHighestFunctionHolds) {
  const Plan plan = {Policy::full, Policy::keep};
  EXPECT_EQ(predict(two_stages(), plan, {.step = 49})->peak_total_bytes, 149);
  EXPECT_EQ(predict(two_stages(), plan, {.step = 60})->peak_total_bytes, 180);
  EXPECT_EQ(predict(two_stages(), plan, {.step = 60})->peak_owner, 1);
}

TEST(Predict, FractionsOfBytes_AreRoundedUpPerTable) {
  StepCosts costs = two_stages();
  costs.moments[0].bytes[0].by_combination[0][0].constant = 1000.25;
  costs.moments[0].bytes[1].by_combination[0][0].constant = 0.5;
  EXPECT_EQ(predict(costs, kKeep, {.step = 1})->peak_total_bytes, 1001 + 4);
}

TEST(Predict, UnmeasuredCombination_IsNothing) {
  EXPECT_FALSE(predict(two_stages(), {Policy::full, Policy::full}, {.step = 20}));
  EXPECT_TRUE(predict(two_stages(), {Policy::keep, Policy::full}, {.step = 20}));
  StepCosts no_seconds = two_stages();
  no_seconds.seconds[1].by_combination[1].clear();
  EXPECT_FALSE(predict(no_seconds, {Policy::full, Policy::keep}, {.step = 20}));
}

TEST(Predict, PlanOfAnotherNetworkOrDevice_IsNothing) {
  const SizedCosts sized = costs_at(two_stages(), {.step = 20});
  EXPECT_FALSE(predict(sized, {Policy::keep}));
  EXPECT_FALSE(predict(sized, {}));
  EXPECT_FALSE(predict(sized, {Policy::light, Policy::keep}));
}

TEST(Predict, Validation_IsAMomentThatNoPlanChanges) {
  StepCosts costs = two_stages();
  costs.validation_bytes = {{.constant = 50, .per_pixel = 2}, {.constant = 0, .per_pixel = 4}};
  for (const Plan& plan : {kKeep, Plan{Policy::full, Policy::keep}}) {
    const auto predicted = predict(costs, plan, {.step = 20, .image = 64});
    ASSERT_TRUE(predicted);
    EXPECT_EQ(predicted->peak_total_bytes, 256);
    EXPECT_EQ(predicted->peak_phase, Phase::validation);
    EXPECT_EQ(predicted->peak_owner, -1);
  }
  EXPECT_EQ(predict(costs, kKeep, {.step = 20, .image = 16})->peak_total_bytes, 160);
}

TEST(Predict, BeyondWhatADeviceHas_IsNothing) {
  EXPECT_FALSE(predict(two_stages(), kKeep, {.step = std::int64_t{1} << 60}));
}

TEST(Predict, NetworkWithoutStages_HasOnePlan) {
  StepCosts costs;
  costs.policies = {Policy::keep};
  const auto nothing = predict(costs, {}, {.step = 4});
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->peak_total_bytes, 0);
  EXPECT_EQ(nothing->seconds_per_step, 0);
  costs.moments = {{.phase = Phase::loss,
                    .owner = 0,
                    .bytes = {{.stages = {}, .by_combination = {{{.constant = 7}}}}}}};
  EXPECT_EQ(predict(costs, {}, {.step = 4})->peak_total_bytes, 7);
}

TEST(CostsAt, ContradictingCosts_ThrowInternal) {
  StepCosts costs = two_stages();
  costs.moments[1].bytes[0].by_combination.pop_back();
  const auto error = tests::thrown_error([&] { static_cast<void>(costs_at(costs, {.step = 20})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::internal);
}

}  // namespace
}  // namespace headroom::plan
