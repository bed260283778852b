#include "core/run/plan_forecast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <stop_token>

#include "core/base/error.hpp"
#include "tests/core/plan/synthetic_costs.hpp"
#include "tests/core/run/two_stage_costs.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

using plan::Policy;
using testing::Contains;
using testing::ElementsAre;

const plan::Plan kKeepKeep = {Policy::keep, Policy::keep};
const plan::Plan kFullKeep = {Policy::full, Policy::keep};

ForecastQuestion question_of(std::int64_t budget_bytes, std::vector<plan::Plan> plans) {
  return {.costs = tests::two_stage_costs(),
          .shape = {.batch = 1, .height = 10, .width = 10},
          .limits = {.budget_bytes = budget_bytes},
          .plans = std::move(plans)};
}

std::vector<std::int64_t> peaks_of(const plan::TradeOff& curve) {
  std::vector<std::int64_t> peaks;
  for (const plan::PlanChoice& point : curve.points)
    peaks.push_back(point.predicted.peak_total_bytes);
  return peaks;
}

TEST(PlanForecast, OfTwoStages_IsWhatOneComputesByHand) {
  const PlanForecast forecast = forecast_plans(question_of(400, {kFullKeep, kKeepKeep}));
  EXPECT_THAT(peaks_of(forecast.curve->trade_off), ElementsAre(200, 300, 500, 600));
  ASSERT_TRUE(forecast.cheapest);
  EXPECT_EQ(forecast.cheapest->plan, kFullKeep);
  EXPECT_NEAR(forecast.cheapest->predicted.seconds_per_step, 300e-6, 1e-9);
  ASSERT_EQ(forecast.predicted.size(), 2U);
  EXPECT_EQ(forecast.predicted[1]->peak_total_bytes, 600);
  EXPECT_EQ(forecast.asked()->peak_total_bytes, 300);
  EXPECT_EQ(forecast.curve->all_keep->peak_total_bytes, 600);
  EXPECT_EQ(forecast.least_bytes(), 200);
}

TEST(PlanForecast, Effects_AreOfThePlanThatIsAskedAbout) {
  const PlanForecast forecast = forecast_plans(question_of(400, {kFullKeep}));
  ASSERT_EQ(forecast.effects.size(), 1U);
  EXPECT_EQ(forecast.effects[0].stage, 0U);
  EXPECT_EQ(forecast.effects[0].saved_bytes, 300);
  EXPECT_NEAR(forecast.effects[0].added_seconds, 100e-6, 1e-9);
  const auto full = static_cast<std::size_t>(Policy::full);
  const auto light = static_cast<std::size_t>(Policy::light);
  ASSERT_EQ(forecast.changed.size(), 2U);
  EXPECT_EQ(forecast.changed[1][full]->peak_total_bytes, 200);
  EXPECT_FALSE(forecast.changed[1][light].has_value()) << "the device does not offer it";
}

TEST(PlanForecast, WhereNothingFits_SaysWhatTheLeastNeeds) {
  const PlanForecast forecast = forecast_plans(question_of(199, {kFullKeep}));
  EXPECT_FALSE(forecast.cheapest);
  EXPECT_EQ(forecast.least_bytes(), 200);
}

TEST(PlanForecast, OfAPlanOfAnotherNetwork_IsWithoutItsPrediction) {
  const PlanForecast forecast = forecast_plans(question_of(400, {{Policy::keep}}));
  EXPECT_FALSE(forecast.asked());
  EXPECT_TRUE(forecast.effects.empty());
  EXPECT_TRUE(forecast.changed.empty());
}

TEST(PlanForecast, WithAnotherPlanOrBudget_TakesTheCurveOfTheOneBefore) {
  ForecastQuestion question = question_of(400, {kFullKeep});
  const PlanForecast before = forecast_plans(question);
  question.plans = {kKeepKeep};
  question.limits.budget_bytes = 550;
  const PlanForecast after = forecast_plans(question, &before);
  EXPECT_EQ(after.curve, before.curve);
  EXPECT_EQ(after.cheapest->predicted.peak_total_bytes, 500);
  EXPECT_EQ(after.asked()->peak_total_bytes, 600);
  question.shape.batch = 2;
  EXPECT_EQ(forecast_plans(question, &after).asked()->peak_total_bytes, 1200);
}

TEST(PlanForecast, WithAStop_IsInterrupted) {
  std::stop_source stop;
  stop.request_stop();
  std::mt19937_64 random(1);
  ForecastQuestion question = question_of(400, {});
  question.costs =
      std::make_shared<const plan::StepCosts>(tests::unet_costs({.levels = 7}, random));
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(forecast_plans(question, nullptr, stop.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

TEST(BestWithin, IsTheLastPointThatKeepsTheMarginFree) {
  const PlanForecast forecast = forecast_plans(question_of(400, {}));
  const plan::TradeOff& curve = forecast.curve->trade_off;
  const auto peak_for = [&](std::int64_t budget, std::int64_t margin) {
    const plan::PlanChoice* const best =
        best_within(curve, {.budget_bytes = budget, .margin_bytes = margin});
    return best == nullptr ? 0 : best->predicted.peak_total_bytes;
  };
  EXPECT_EQ(peak_for(199, 0), 0);
  EXPECT_EQ(peak_for(200, 0), 200);
  EXPECT_EQ(peak_for(200, 10), 200) << "the lowest there is may take the margin";
  EXPECT_EQ(peak_for(499, 0), 300);
  EXPECT_EQ(peak_for(500, 10), 300);
  EXPECT_EQ(peak_for(5000, 10), 600);
  EXPECT_EQ(best_within({}, {.budget_bytes = 5000}), nullptr);
}

TEST(BestWithin, IsWhatTheMapHasForTheSameLimits) {
  std::mt19937_64 random(5);
  ForecastQuestion question = question_of(0, {});
  question.costs = std::make_shared<const plan::StepCosts>(
      tests::unet_costs({.levels = 3, .held = tests::HeldTogether::with_next}, random));
  question.shape = {.batch = 2, .height = 256, .width = 256};
  const PlanForecast forecast = forecast_plans(question);
  const std::int64_t most = forecast.curve->all_keep->peak_total_bytes;
  for (std::int64_t twentieth = 1; twentieth <= 22; ++twentieth) {
    const plan::FitLimits limits = forecast_limits(most / 20 * twentieth);
    const plan::PlanChoice* const best = best_within(forecast.curve->trade_off, limits);
    const plan::FitCell cell = plan::fit_cell(*question.costs, question.shape, limits);
    ASSERT_EQ(best != nullptr, cell.fits()) << twentieth;
    if (best != nullptr) EXPECT_EQ(best->predicted, cell.cheapest->predicted) << twentieth;
  }
}

TEST(ForecastLimits, HaveAMarginOfHalfAPercent) {
  EXPECT_EQ(forecast_limits(1000).margin_bytes, 5);
  EXPECT_EQ(forecast_limits(1000).usable_bytes(), 1000);
}

TEST(MapAxes, HaveTheRunsOwnSizeAndEndBeyondWhatFits) {
  ForecastQuestion question = question_of(2 * 1024 * 1024, {});
  question.shape = {.batch = 5, .height = 500, .width = 500};
  // Two bytes a pixel at least: with 2 MiB a side of 1024 fits with batch 1, 1280 does not.
  const MapAxes axes = map_axes(question);
  EXPECT_EQ(axes.batches.size(), 8U);
  EXPECT_EQ(axes.sides.size(), 10U);
  EXPECT_THAT(axes.batches, Contains(5));
  EXPECT_THAT(axes.sides, Contains(500));
  EXPECT_EQ(axes.sides.back(), 1280);
  EXPECT_TRUE(std::ranges::is_sorted(axes.batches));
  EXPECT_TRUE(std::ranges::is_sorted(axes.sides));
}

TEST(MapAxes, OfASizeThatDoesNotFit_ReachIt) {
  ForecastQuestion question = question_of(1000, {});
  question.shape = {.batch = 1, .height = 2048, .width = 2048};
  EXPECT_THAT(map_axes(question).sides, Contains(2048));
}

TEST(FitForecast, Cells_HoldTheCheapestPlanThatFits) {
  ForecastQuestion question = question_of(2 * 1024 * 1024, {});
  question.shape = {.batch = 2, .height = 512, .width = 512};
  const FitForecast fits = forecast_fits(question);
  const auto cell = [&](std::int64_t batch, std::int64_t side) {
    const auto row = std::ranges::find(fits.map.batches, batch) - fits.map.batches.begin();
    const auto column = std::ranges::find(fits.map.sides, side) - fits.map.sides.begin();
    return fits.map.cell(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
  };
  // 2 * 512 * 512 pixels: all Keep needs 3 MiB, full and keep 1.5 MiB, keep and full 2.5 MiB.
  ASSERT_TRUE(cell(2, 512).fits());
  EXPECT_EQ(cell(2, 512).cheapest->plan, kFullKeep);
  EXPECT_EQ(cell(1, 512).cheapest->plan, kKeepKeep);
  EXPECT_FALSE(cell(16, 1024).fits());
  EXPECT_EQ(cell(16, 1024).least_bytes, std::int64_t{32} * 1024 * 1024);
}

}  // namespace
}  // namespace headroom::run
