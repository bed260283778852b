#include "core/plan/fit_map.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.hpp"
#include "core/plan/planner.hpp"
#include "tests/core/plan/synthetic_costs.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

/// One stage of stride 4: 1000 bytes and 10 (Keep) or 4 (Full) a pixel; Full takes twice the time.
StepCosts one_stage() {
  StepCosts costs;
  costs.stages = {"enc1"};
  costs.policies = {Policy::keep, Policy::full};
  costs.moments = {{.phase = Phase::backward,
                    .owner = 0,
                    .bytes = {{.stages = {0},
                               .by_combination = {{{.constant = 1000, .per_pixel = 10}},
                                                  {{.constant = 1000, .per_pixel = 4}}}}}}};
  costs.seconds = {{.stages = {0},
                    .by_combination = {{{.constant = 0, .per_pixel = 1e-6}},
                                       {{.constant = 0, .per_pixel = 2e-6}}}}};
  costs.stride = 4;
  return costs;
}

TEST(FitCell, ByHand_KeepThenFullThenWhatItNeeds) {
  const FitLimits limits = {.budget_bytes = 5000};
  // 20 x 20: 1000 + 10 * 400 fits exactly.
  const FitCell keep = fit_cell(one_stage(), {.batch = 1, .height = 20, .width = 20}, limits);
  ASSERT_TRUE(keep.fits());
  EXPECT_EQ(keep.cheapest->plan, Plan{Policy::keep});
  EXPECT_EQ(keep.cheapest->predicted.peak_total_bytes, 5000);
  EXPECT_FALSE(keep.least_bytes);
  // 20 x 21 counts as 20 x 24.
  const FitCell full = fit_cell(one_stage(), {.batch = 1, .height = 20, .width = 21}, limits);
  ASSERT_TRUE(full.fits());
  EXPECT_EQ(full.cheapest->plan, Plan{Policy::full});
  EXPECT_EQ(full.cheapest->predicted.peak_total_bytes, 1000 + 4 * 480);
  EXPECT_NEAR(full.cheapest->predicted.seconds_per_step, 480 * 2e-6, 1e-9);
  const FitCell neither = fit_cell(one_stage(), {.batch = 3, .height = 20, .width = 20}, limits);
  EXPECT_FALSE(neither.fits());
  EXPECT_EQ(neither.least_bytes, 1000 + 4 * 1200);
}

TEST(FitCell, Reserve_IsTakenFromTheBudget) {
  const BatchShape shape = {.batch = 1, .height = 20, .width = 20};
  EXPECT_EQ(fit_cell(one_stage(), shape, {.budget_bytes = 5000, .reserve_bytes = 1}).cheapest->plan,
            Plan{Policy::full});
  EXPECT_FALSE(fit_cell(one_stage(), shape, {.budget_bytes = 5000, .reserve_bytes = 2401}).fits());
}

TEST(FitCell, Margin_IsKeptFreeByTheFastestPlanThatCan) {
  const BatchShape shape = {.batch = 1, .height = 20, .width = 20};  // Keep 5000 bytes, Full 2600
  const auto plan_for = [&](std::int64_t budget, std::int64_t margin) {
    return fit_cell(one_stage(), shape, {.budget_bytes = budget, .margin_bytes = margin}).cheapest;
  };
  EXPECT_EQ(plan_for(5001, 1)->plan, Plan{Policy::keep});
  EXPECT_EQ(plan_for(5000, 1)->plan, Plan{Policy::full});
  EXPECT_EQ(plan_for(2601, 1)->plan, Plan{Policy::full});
  EXPECT_EQ(plan_for(2600, 1)->plan, Plan{Policy::full}) << "it fits, though without the margin";
  EXPECT_FALSE(plan_for(2599, 1));
}

TEST(LargestSquare, ByHand_IsTheLastThatFits) {
  // Full, 1000 + 4 b s^2 <= 5000: s^2 <= 1000 / b.
  const FitLimits limits = {.budget_bytes = 5000};
  const auto one = largest_square(one_stage(), 1, limits);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->shape, (BatchShape{.batch = 1, .height = 28, .width = 28}));  // 32^2 is 1024
  EXPECT_EQ(one->cheapest->plan, Plan{Policy::full});
  EXPECT_EQ(largest_square(one_stage(), 62, limits)->shape.height, 4);
  EXPECT_FALSE(largest_square(one_stage(), 63, limits));
  EXPECT_EQ(largest_square(one_stage(), 1, {.budget_bytes = 5000, .max_side = 17})->shape.height,
            16);
  EXPECT_FALSE(largest_square(one_stage(), 1, {.budget_bytes = 5000, .max_side = 3}));
}

TEST(WidestTile, ByHand_IsTheLastThatFits) {
  // 1000 pixels of batch 2: 500, 8 rows of 62.
  const auto wide = widest_tile(one_stage(), 2, 8, {.budget_bytes = 5000});
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->shape, (BatchShape{.batch = 2, .height = 8, .width = 60}));
  EXPECT_FALSE(widest_tile(one_stage(), 2, 200, {.budget_bytes = 5000}));
}

TEST(LargestSquare, BytesThatFallWithPixels_IsFoundAllTheSame) {
  // A stretch whose bytes fall: below 16 x 16 it is too high, above 28 x 28 the rest is.
  StepCosts costs = one_stage();
  costs.moments.push_back(
      {.phase = Phase::loss,
       .owner = 1,
       .bytes = {{.stages = {}, .by_combination = {{{.constant = 5256, .per_pixel = -1}}}}}});
  const FitLimits limits = {.budget_bytes = 5000, .max_side = 256};
  EXPECT_FALSE(fit_cell(costs, {.batch = 1, .height = 12, .width = 12}, limits).fits());
  EXPECT_EQ(largest_square(costs, 1, limits)->shape.height, 28);
}

TEST(LargestSquare, ValidationOfOneTile_CountsWhateverTheBatch) {
  StepCosts costs = one_stage();
  costs.validation_bytes = {{.constant = 0, .per_pixel = 12}};
  // 12 * 20^2 = 4800, 12 * 24^2 = 6912.
  const auto cell = largest_square(costs, 1, {.budget_bytes = 5000});
  EXPECT_EQ(cell->shape.height, 20);
  EXPECT_EQ(cell->cheapest->predicted.peak_total_bytes, 5000);
  EXPECT_EQ(largest_square(costs, 2, {.budget_bytes = 5000})->shape.height, 20);
  EXPECT_EQ(largest_square(costs, 4, {.budget_bytes = 5000})->shape.height, 12);
}

TEST(FitMap, CellsAndLargest_AreThoseOfTheSingleQuestions) {
  std::mt19937_64 random(8);
  const StepCosts costs = tests::unet_costs({.levels = 4, .policies = 3}, random);
  const FitLimits limits = {.budget_bytes = std::int64_t{1} << 30, .reserve_bytes = 1 << 20};
  const std::vector<std::int64_t> batches = {1, 3, 8}, sides = {128, 300, 512, 1024};
  const FitMap map = fit_map(costs, batches, sides, limits);
  ASSERT_EQ(map.cells.size(), 12U);
  int fitting = 0;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    EXPECT_EQ(map.largest[b], largest_square(costs, batches[b], limits));
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const BatchShape shape = {.batch = batches[b], .height = sides[s], .width = sides[s]};
      EXPECT_EQ(map.cell(b, s), fit_cell(costs, shape, limits));
      fitting += map.cell(b, s).fits() ? 1 : 0;
    }
  }
  EXPECT_GT(fitting, 3);
  EXPECT_LT(fitting, 12);
}

TEST(LargestSquare, OneStrideMore_DoesNotFit) {
  std::mt19937_64 random(9);
  const StepCosts costs = tests::unet_costs({.levels = 5, .policies = 3}, random);
  const FitLimits limits = {.budget_bytes = std::int64_t{2} << 30};
  const auto largest = largest_square(costs, 2, limits);
  ASSERT_TRUE(largest && largest->fits());
  BatchShape next = largest->shape;
  next.height += costs.stride;
  next.width += costs.stride;
  const FitCell beyond = fit_cell(costs, next, limits);
  EXPECT_FALSE(beyond.fits());
  EXPECT_GT(beyond.least_bytes, limits.usable_bytes());
}

TEST(FitMap, NothingMeasured_NeitherFitsNorHasALeast) {
  StepCosts costs = one_stage();
  costs.moments[0].bytes[0].by_combination = {{}, {}};
  const FitCell cell =
      fit_cell(costs, {.batch = 1, .height = 4, .width = 4}, {.budget_bytes = 1 << 30});
  EXPECT_FALSE(cell.fits());
  EXPECT_FALSE(cell.least_bytes);
}

TEST(FitMap, Stopped_ThrowsInterrupted) {
  std::stop_source source;
  source.request_stop();
  const auto error = tests::thrown_error([&] {
    static_cast<void>(fit_map(one_stage(), {1}, {4}, {.budget_bytes = 5000}, source.get_token()));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace headroom::plan
