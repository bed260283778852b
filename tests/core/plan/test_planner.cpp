#include "core/plan/planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/base/error.hpp"
#include "tests/core/plan/every_plan.hpp"
#include "tests/core/plan/synthetic_costs.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

using tests::PlanCost;

constexpr StepPixels kPixels = {.step = 64, .image = 16};

void expect_same(const std::optional<PlanChoice>& choice, const PlanCost* expected,
                 const std::string& where) {
  ASSERT_EQ(choice.has_value(), expected != nullptr) << where;
  if (expected == nullptr) return;
  EXPECT_EQ(choice->plan, expected->plan) << where;
  EXPECT_EQ(static_cast<double>(choice->predicted.peak_total_bytes), expected->peak_bytes) << where;
  EXPECT_NEAR(choice->predicted.seconds_per_step, expected->seconds, 1e-9) << where;
}

/// At most `most` of them, evenly, the first ones always.
std::vector<double> some_of(const std::vector<double>& values, std::size_t most) {
  const std::size_t step = 1 + values.size() / most;
  std::vector<double> some;
  for (std::size_t i = 0; i < values.size(); i += i < 3 ? 1 : step) some.push_back(values[i]);
  return some;
}

TEST(CheapestPlan, ArbitraryCosts_IsTheBestOfAllPlansAtEveryBudget) {
  std::mt19937_64 random(2026);
  for (int round = 0; round < 300; ++round) {
    const auto stages = static_cast<std::size_t>(round % 8);
    const std::size_t policies = stages > 5 ? 1 + round % 3 : 1 + round / 8 % 4;
    const StepCosts costs = tests::arbitrary_costs(stages, policies, random);
    const auto plans = tests::every_plan(costs, kPixels);
    const SizedCosts sized = costs_at(costs, kPixels);
    for (const double peak : some_of(tests::peaks_of(plans), 12)) {
      for (const double budget : {peak - 1, peak}) {
        expect_same(cheapest_plan(sized, static_cast<std::int64_t>(budget)),
                    tests::cheapest_of(plans, budget),
                    "round " + std::to_string(round) + ", budget " + std::to_string(budget));
      }
    }
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    expect_same(cheapest_plan(sized, kAll), tests::cheapest_of(plans, 1e18), "all");
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LeastMemoryPlan, ArbitraryCosts_IsTheLeastOfAllPlans) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto stages = static_cast<std::size_t>(round % 8);
    const StepCosts costs = tests::arbitrary_costs(stages, stages > 5 ? 2 : 3, random);
    const auto plans = tests::every_plan(costs, kPixels);
    const SizedCosts sized = costs_at(costs, kPixels);
    const auto least = least_peak_bytes(sized);
    ASSERT_EQ(least.has_value(), !plans.empty());
    if (plans.empty()) {
      EXPECT_FALSE(least_memory_plan(sized));
      continue;
    }
    const double expected = tests::peaks_of(plans).front();
    EXPECT_EQ(static_cast<double>(*least), expected);
    expect_same(least_memory_plan(sized), tests::cheapest_of(plans, expected),
                std::to_string(round));
  }
}

class CheapestUnetPlan : public testing::TestWithParam<tests::HeldTogether> {};

TEST_P(CheapestUnetPlan, SevenStages_IsTheBestOfAllPlans) {
  std::mt19937_64 random(3);
  for (int network = 0; network < 3; ++network) {
    const StepCosts costs = tests::unet_costs(
        {.levels = 4, .policies = 4, .held = GetParam(), .jitter = 0.02 * network}, random);
    const StepPixels pixels = {.step = 256 * 256, .image = 256 * 256};
    const SizedCosts sized = costs_at(costs, pixels);
    const auto plans = tests::every_predicted_plan(costs, sized, pixels);
    const double least = tests::peaks_of(plans).front();
    expect_same(least_memory_plan(sized), tests::cheapest_of(plans, least), "least memory");
    for (const double peak : some_of(tests::peaks_of(plans), 25)) {
      for (const double budget : {peak - 1, peak}) {
        expect_same(cheapest_plan(sized, static_cast<std::int64_t>(budget)),
                    tests::cheapest_of(plans, budget), std::to_string(budget));
      }
    }
  }
}

TEST_P(CheapestUnetPlan, FallingBudgets_NeitherPeakRisesNorSecondsFall) {
  std::mt19937_64 random(11);
  const StepCosts costs =
      tests::unet_costs({.levels = 5, .policies = 4, .held = GetParam()}, random);
  const SizedCosts sized = costs_at(costs, {.step = 512 * 512, .image = 512 * 512});
  const auto keep = predict(sized, Plan(9, Policy::keep));
  const std::int64_t least = least_peak_bytes(sized).value();
  std::optional<PlanChoice> before;
  for (std::int64_t i = 200; i >= 0; --i) {
    const std::int64_t budget = least + (keep->peak_total_bytes - least) * i / 200;
    const auto choice = cheapest_plan(sized, budget);
    ASSERT_TRUE(choice);
    EXPECT_LE(choice->predicted.peak_total_bytes, budget);
    EXPECT_EQ(predict(sized, choice->plan), choice->predicted);
    if (before) {
      EXPECT_LE(choice->predicted.peak_total_bytes, before->predicted.peak_total_bytes);
      EXPECT_GE(choice->predicted.seconds_per_step, before->predicted.seconds_per_step);
    }
    before = choice;
  }
  EXPECT_EQ(before, least_memory_plan(sized));
  EXPECT_FALSE(cheapest_plan(sized, least - 1));
}

INSTANTIATE_TEST_SUITE_P(All, CheapestUnetPlan,
                         testing::Values(tests::HeldTogether::alone, tests::HeldTogether::with_next,
                                         tests::HeldTogether::with_skip));

/// One moment with a table of each stage's bytes, and each stage's seconds.
StepCosts additive_costs(const std::vector<std::vector<double>>& bytes,
                         const std::vector<std::vector<double>>& seconds) {
  StepCosts costs;
  costs.policies = {Policy::keep, Policy::light, Policy::full};
  StepMoment& moment = costs.moments.emplace_back();
  const auto table_of = [](std::size_t stage, const std::vector<double>& values) {
    CostTable table = {.stages = {stage}};
    for (const double value : values) table.by_combination.push_back({{.constant = value}});
    return table;
  };
  for (std::size_t stage = 0; stage < bytes.size(); ++stage) {
    costs.stages.push_back("s" + std::to_string(stage));
    moment.bytes.push_back(table_of(stage, bytes[stage]));
    costs.seconds.push_back(table_of(stage, seconds[stage]));
  }
  return costs;
}

TEST(CheapestPlan, TwoStagesByHand_TakesWhatSavesEnoughForLeast) {
  const StepCosts costs =
      additive_costs({{100, 60, 10}, {50, 20, 10}}, {{1, 1.2, 2}, {1, 1.1, 1.5}});
  const SizedCosts sized = costs_at(costs, {});
  EXPECT_EQ(cheapest_plan(sized, 150)->plan, (Plan{Policy::keep, Policy::keep}));
  EXPECT_EQ(cheapest_plan(sized, 149)->plan, (Plan{Policy::keep, Policy::light}));   // 120
  EXPECT_EQ(cheapest_plan(sized, 119)->plan, (Plan{Policy::light, Policy::keep}));   // 110
  EXPECT_EQ(cheapest_plan(sized, 109)->plan, (Plan{Policy::light, Policy::light}));  // 80
  EXPECT_EQ(cheapest_plan(sized, 79)->plan, (Plan{Policy::light, Policy::full}));    // 70, 2.7 s
  EXPECT_EQ(cheapest_plan(sized, 69)->plan, (Plan{Policy::full, Policy::keep}));     // 60, 3 s
  EXPECT_EQ(cheapest_plan(sized, 20)->plan, (Plan{Policy::full, Policy::full}));
  EXPECT_FALSE(cheapest_plan(sized, 19));
  EXPECT_EQ(least_peak_bytes(sized), 20);
}

TEST(CheapestPlan, EquallyFast_TheSmallerThenTheFirst) {
  // Light and Full of the second stage cost the same; of the first, Light is smaller for free.
  const StepCosts costs = additive_costs({{9, 4, 4}, {9, 2, 2}}, {{1, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(cheapest_plan(costs_at(costs, {}), 100)->plan, (Plan{Policy::light, Policy::light}));
}

TEST(CheapestPlan, FullRaisesThePeak_IsNeverChosen) {
  const StepCosts costs = additive_costs({{10, 8, 12}}, {{1, 1.1, 1.4}});
  for (std::int64_t budget = 8; budget < 20; ++budget) {
    EXPECT_NE(cheapest_plan(costs_at(costs, {}), budget)->plan.front(), Policy::full);
  }
}

TEST(CheapestPlan, UnmeasuredCombinations_AreNeverChosen) {
  StepCosts costs = additive_costs({{100, 1, 10}, {50, 1, 10}}, {{5, 1, 2}, {5, 1, 2}});
  costs.moments[0].bytes[0].by_combination[1].clear();
  costs.seconds[1].by_combination[1].clear();
  const SizedCosts sized = costs_at(costs, {});
  EXPECT_EQ(cheapest_plan(sized, 1000)->plan, (Plan{Policy::full, Policy::full}));
  EXPECT_EQ(least_memory_plan(sized)->plan, (Plan{Policy::full, Policy::full}));
  costs.seconds[1] = {.stages = {1}, .by_combination = {{}, {}, {}}};
  EXPECT_FALSE(cheapest_plan(costs_at(costs, {}), 1000));
  EXPECT_FALSE(least_memory_plan(costs_at(costs, {})));
}

TEST(CheapestPlan, NoStages_IsTheEmptyPlan) {
  StepCosts costs = additive_costs({}, {});
  costs.moments[0].bytes = {{.stages = {}, .by_combination = {{{.constant = 5}}}}};
  const SizedCosts sized = costs_at(costs, {});
  const auto choice = cheapest_plan(sized, 5);
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice->plan.empty());
  EXPECT_FALSE(cheapest_plan(sized, 4));
  costs.moments.clear();
  EXPECT_TRUE(cheapest_plan(costs_at(costs, {}), 0));
}

TEST(CheapestPlan, NegativeBudget_FitsNothing) {
  const SizedCosts sized = costs_at(additive_costs({{1, 1, 1}}, {{1, 1, 1}}), {});
  EXPECT_FALSE(cheapest_plan(sized, -1));
  EXPECT_FALSE(cheapest_plan(sized, std::numeric_limits<std::int64_t>::min()));
}

TEST(CheapestPlan, Stopped_ThrowsInterrupted) {
  std::stop_source source;
  source.request_stop();
  const SizedCosts sized = costs_at(additive_costs({{1, 1, 1}}, {{1, 1, 1}}), {});
  const auto error =
      tests::thrown_error([&] { static_cast<void>(cheapest_plan(sized, 10, source.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace headroom::plan
