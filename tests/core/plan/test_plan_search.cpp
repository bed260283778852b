#include "core/plan/plan_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/core/plan/every_plan.hpp"
#include "tests/core/plan/synthetic_costs.hpp"

namespace headroom::plan {
namespace {

constexpr StepPixels kPixels = {.step = 64, .image = 16};
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

class SearchCheapest : public testing::TestWithParam<StageOrder> {};

TEST_P(SearchCheapest, CloseLimitsOnBothSides_FindsTheSamePlan) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 100; ++round) {
    const auto stages = static_cast<std::size_t>(round % 6);
    const StepCosts costs = tests::arbitrary_costs(stages, 3, random);
    const auto plans = tests::every_plan(costs, kPixels);
    const PlanBounds bounds(costs_at(costs, kPixels), GetParam());
    for (const double peak : tests::peaks_of(plans)) {
      const tests::PlanCost* expected = tests::cheapest_of(plans, peak);
      const auto nanoseconds =
          static_cast<std::int64_t>(expected->seconds * static_cast<double>(kNanosecondsPerSecond));
      for (const std::int64_t slack : {0, 1, 3}) {
        const auto found =
            search_cheapest(bounds,
                            {.bytes = static_cast<std::int64_t>(peak),
                             .nanoseconds = nanoseconds + slack * kNanosecondsPerSecond,
                             .least_nanoseconds = nanoseconds - slack * kNanosecondsPerSecond},
                            {});
        ASSERT_TRUE(found);
        EXPECT_EQ(bounds.plan_of(found->code), expected->plan);
        EXPECT_EQ(found->nanoseconds, nanoseconds);
        EXPECT_EQ(static_cast<double>(found->peak_bytes), expected->peak_bytes);
      }
      const SearchLimits faster = {.bytes = static_cast<std::int64_t>(peak),
                                   .nanoseconds = nanoseconds - 1};
      EXPECT_FALSE(search_cheapest(bounds, faster, {}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, SearchCheapest,
                         testing::Values(StageOrder::by_index, StageOrder::outer_first));

/// Of the search for the cheapest plan, the most over 50 budgets from the least peak on.
std::size_t most_partial_plans(const PlanBounds& bounds) {
  const std::int64_t least = search_plan(bounds, SearchGoal::peak, {}, {})->peak_bytes;
  const std::int64_t fastest = search_cheapest(bounds, {}, {})->peak_bytes;
  std::size_t most = 0;
  for (std::int64_t i = 0; i <= 50; ++i) {
    const SearchLimits limits = {.bytes = least + (fastest - least) * i / 50};
    most = std::max(most, search_cheapest(bounds, limits, {})->partial_plans);
  }
  return most;
}

TEST(PartialPlans, SkipsThatDecideTogether_AreFewOfAllPlans) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    for (const std::int64_t levels : {5, 7}) {
      const StepCosts costs = tests::unet_costs(
          {.levels = levels, .policies = 4, .held = tests::HeldTogether::with_skip}, random);
      const SizedCosts sized = costs_at(costs, {.step = 512 * 512, .image = 512 * 512});
      // Of 262,144 and of 67,108,864 plans.
      EXPECT_LT(most_partial_plans(PlanBounds(sized, StageOrder::outer_first)),
                levels == 5 ? 10'000U : 40'000U)
          << levels << " levels, seed " << seed;
    }
  }
}

}  // namespace
}  // namespace headroom::plan
