#include "core/plan/plan_explanation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kMib = 1024 * 1024;
const std::vector<std::string> kStages = {"enc1", "dec1"};

/// Two moments: at the first enc1 holds most, at the second dec1.
StepCosts two_peaks() {
  StepCosts costs;
  costs.stages = kStages;
  costs.policies = {Policy::keep, Policy::light};
  const auto table = [](std::size_t stage, double keep, double light) {
    return CostTable{.stages = {stage},
                     .by_combination = {{{.constant = keep}}, {{.constant = light}}}};
  };
  costs.moments = {
      {.phase = Phase::forward, .owner = 0, .bytes = {table(0, 500 * kMib, 200 * kMib)}},
      {.phase = Phase::backward, .owner = 1, .bytes = {table(1, 450 * kMib, 140 * kMib)}}};
  costs.seconds = {table(0, 1, 1.25), table(1, 1, 1.004)};
  return costs;
}

TEST(PolicyEffects, EachStageAgainstTheSamePlanWithItAtKeep) {
  const SizedCosts sized = costs_at(two_peaks(), {});
  const auto effects = policy_effects(sized, {Policy::light, Policy::light});
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].stage, 0U);
  EXPECT_EQ(effects[0].saved_bytes, 300 * 1024 * 1024);
  EXPECT_NEAR(effects[0].added_seconds, 0.25, 1e-9);
  EXPECT_EQ(effects[1].saved_bytes, 250 * 1024 * 1024);  // enc1's 200 MiB are the peak then
  EXPECT_NEAR(effects[1].added_seconds, 0.004, 1e-9);
  EXPECT_EQ(effect_sentence(effects[1], kStages), "dec1 Light saves 250.0 MiB for 4 ms");
  EXPECT_EQ(effect_sentence(effects[0], kStages), "enc1 Light saves 300.0 MiB for 0.25 s");
}

TEST(PolicyEffects, KeepOrUnmeasured_AreLeftOut) {
  StepCosts costs = two_peaks();
  EXPECT_THAT(policy_effects(costs_at(costs, {}), {Policy::keep, Policy::keep}), IsEmpty());
  EXPECT_THAT(policy_effects(costs_at(costs, {}), {Policy::full, Policy::keep}), IsEmpty());
  costs.seconds[0].by_combination[0].clear();
  EXPECT_THAT(policy_effects(costs_at(costs, {}), {Policy::light, Policy::keep}), IsEmpty());
}

TEST(EffectSentence, EverySign_ReadsAsWhatItIs) {
  const auto sentence = [](double mib, double seconds) {
    return effect_sentence({.stage = 1,
                            .policy = Policy::full,
                            .saved_bytes = static_cast<std::int64_t>(mib * kMib),
                            .added_seconds = seconds},
                           kStages);
  };
  EXPECT_EQ(sentence(12, 0.02), "dec1 Full saves 12.0 MiB for 20 ms");
  EXPECT_EQ(sentence(12, -0.02), "dec1 Full saves 12.0 MiB and 20 ms");
  EXPECT_EQ(sentence(12, 0.0001), "dec1 Full saves 12.0 MiB at no cost in time");
  EXPECT_EQ(sentence(0, 0.02), "dec1 Full leaves the peak as it is and costs 20 ms");
  EXPECT_EQ(sentence(0, -0.02), "dec1 Full leaves the peak as it is and saves 20 ms");
  EXPECT_EQ(sentence(0, 0), "dec1 Full leaves the peak as it is");
  EXPECT_EQ(sentence(-12, 0.02), "dec1 Full raises the peak by 12.0 MiB and costs 20 ms");
}

TEST(PlaceText, Owner_IsAStageTheHeadOrNone) {
  const std::vector<std::string> stages = {"enc1", "dec1"};
  EXPECT_EQ(place_text(Phase::backward, 1, stages), "backward of dec1");
  EXPECT_EQ(place_text(Phase::backward, 2, stages), "backward of the head");
  EXPECT_EQ(place_text(Phase::optimizer, -1, stages), "optimizer");
}

}  // namespace
}  // namespace headroom::plan
