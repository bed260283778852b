#include "core/plan/trade_off.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "core/base/error.hpp"
#include "core/plan/planner.hpp"
#include "tests/core/plan/every_plan.hpp"
#include "tests/core/plan/synthetic_costs.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

constexpr StepPixels kPixels = {.step = 64, .image = 16};
constexpr TradeOffOptions kOnlySolve = {.max_enumerated_plans = 0, .max_solved_points = 100'000};

void expect_front(const TradeOff& curve, const std::vector<tests::PlanCost>& front) {
  EXPECT_TRUE(curve.complete);
  ASSERT_EQ(curve.points.size(), front.size());
  for (std::size_t i = 0; i < front.size(); ++i) {
    EXPECT_EQ(curve.points[i].plan, front[i].plan);
    EXPECT_EQ(static_cast<double>(curve.points[i].predicted.peak_total_bytes), front[i].peak_bytes);
    EXPECT_NEAR(curve.points[i].predicted.seconds_per_step, front[i].seconds, 1e-9);
  }
}

TEST(TradeOff, ArbitraryCosts_IsTheFrontOfAllPlans) {
  std::mt19937_64 random(99);
  for (int round = 0; round < 160; ++round) {
    const auto stages = static_cast<std::size_t>(round % 8);
    const StepCosts costs =
        tests::arbitrary_costs(stages, stages > 5 ? 2 : 1 + round / 8 % 4, random);
    const SizedCosts sized = costs_at(costs, kPixels);
    const auto front = tests::front_of(tests::every_plan(costs, kPixels));
    expect_front(trade_off(sized), front);
    expect_front(trade_off(sized, kOnlySolve), front);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(TradeOff, SkipsThatDecideTogether_IsTheFrontOfAllPlans) {
  constexpr StepPixels kLarge = {.step = 256 * 256, .image = 256 * 256};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    const StepCosts costs = tests::unet_costs(
        {.levels = 4, .policies = 4, .held = tests::HeldTogether::with_skip, .jitter = 0.02},
        random);
    const SizedCosts sized = costs_at(costs, kLarge);
    const auto front = tests::front_of(tests::every_predicted_plan(costs, sized, kLarge));
    EXPECT_GT(front.size(), 10U);
    expect_front(trade_off(sized), front);
    expect_front(trade_off(sized, kOnlySolve), front);
  }
}

TEST(TradeOff, NineStages_SolvedAndEnumeratedAgree) {
  std::mt19937_64 random(4);
  const SizedCosts sized = costs_at(tests::unet_costs({.levels = 5, .policies = 3}, random),
                                    {.step = 512 * 512, .image = 512 * 512});
  const TradeOff enumerated = trade_off(sized);
  EXPECT_GT(enumerated.points.size(), 10U);
  const TradeOff solved = trade_off(sized, kOnlySolve);
  EXPECT_TRUE(solved.complete);
  EXPECT_EQ(solved.points, enumerated.points);
}

TEST(TradeOff, MorePointsThanAllowed_IsAPartWithBothEnds) {
  std::mt19937_64 random(4);
  const SizedCosts sized = costs_at(tests::unet_costs({.levels = 5, .policies = 3}, random),
                                    {.step = 512 * 512, .image = 512 * 512});
  const TradeOff all = trade_off(sized);
  const TradeOff part = trade_off(sized, {.max_enumerated_plans = 0, .max_solved_points = 9});
  EXPECT_FALSE(part.complete);
  EXPECT_LE(part.points.size(), 9U);
  EXPECT_GE(part.points.size(), 5U);
  for (const PlanChoice& point : part.points) EXPECT_THAT(all.points, testing::Contains(point));
  EXPECT_EQ(part.points.front(), all.points.front());
  EXPECT_EQ(part.points.back(), all.points.back());
  EXPECT_EQ(part.points.front(), least_memory_plan(sized));
}

TEST(TradeOff, NothingMeasured_IsEmpty) {
  StepCosts costs;
  costs.stages = {"enc1"};
  costs.policies = {Policy::keep, Policy::full};
  costs.seconds = {{.stages = {0}, .by_combination = {{}, {}}}};
  EXPECT_TRUE(trade_off(costs_at(costs, {})).points.empty());
  EXPECT_TRUE(trade_off(costs_at(costs, {}), kOnlySolve).points.empty());
}

TEST(TradeOff, Stopped_ThrowsInterrupted) {
  std::mt19937_64 random(4);
  const SizedCosts sized =
      costs_at(tests::unet_costs({.levels = 5, .policies = 3}, random), {.step = 4096});
  std::stop_source source;
  source.request_stop();
  for (const TradeOffOptions& options : {TradeOffOptions{}, kOnlySolve}) {
    const auto error = tests::thrown_error(
        [&] { static_cast<void>(trade_off(sized, options, source.get_token())); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
  }
}

std::vector<PlanChoice> points_at(const std::vector<std::int64_t>& peaks) {
  std::vector<PlanChoice> points;
  for (const std::int64_t peak : peaks) {
    points.push_back({.plan = {}, .predicted = {.peak_total_bytes = peak}});
  }
  return points;
}

TEST(Thinned, ClosePoints_AreLeftOutButNoEnd) {
  EXPECT_EQ(thinned(points_at({100, 105, 111, 112, 130, 139}), 1.1), points_at({100, 111, 139}));
  EXPECT_EQ(thinned(points_at({100, 101}), 1.1), points_at({100, 101}));
  EXPECT_EQ(thinned(points_at({100}), 1.1), points_at({100}));
  EXPECT_EQ(thinned({}, 1.1), points_at({}));
  EXPECT_EQ(thinned(points_at({1, 2, 3}), 1), points_at({1, 2, 3}));
}

}  // namespace
}  // namespace headroom::plan
