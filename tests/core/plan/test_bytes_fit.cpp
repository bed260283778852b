#include "core/plan/bytes_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/plan/cost_model.hpp"
#include "tests/core/plan/step_script.hpp"

namespace headroom::plan {
namespace {

using tests::recorded_sizes;
using tests::StepScript;

constexpr std::size_t kStages = 4, kHead = kStages, kOther = kStages + 1;
const std::vector<Policy> kThreePolicies = {Policy::keep, Policy::light, Policy::full};

/// The rule of a network that nobody built. Each stage has a quarter of the pixels of the one
/// before it. Keep holds 64 bytes a pixel, Light 24, Full none, and backward brings back what is
/// missing. All numbers are powers of two or a few of them, so that doubles hold them exactly.
class SyntheticStep {
 public:
  SyntheticStep(const Plan& plan, const StepPixels& pixels)
      : plan_(plan), pixels_(pixels), script_(plan) {
    script_.change(kOther, 12 * pixels.step);
    for (std::size_t stage = 0; stage < kStages; ++stage) forward(stage);
    script_.enter(Phase::loss).change(kHead, 8 * pixels.step).change(kOther, 4 * pixels.step);
    script_.enter(Phase::backward, static_cast<int>(kHead));
    script_.change(kHead, 8 * pixels.step).change(kHead, -8 * pixels.step);
    for (std::size_t stage = kStages; stage-- > 0;) backward(stage);
    script_.enter(Phase::optimizer).change(0, -8 * pixels.step).change(kOther, 4096);
  }

  [[nodiscard]] const StepTimeline& timeline() const { return script_.timeline(); }

 private:
  [[nodiscard]] std::int64_t pixels_of(std::size_t stage) const {
    return pixels_.step >> (2 * stage);
  }
  [[nodiscard]] std::int64_t kept_bytes(std::size_t stage) const {
    constexpr std::array<std::int64_t, 3> kPerPixel = {64, 24, 0};
    return kPerPixel[static_cast<std::size_t>(plan_[stage])] * pixels_of(stage);
  }

  /// A work buffer of a fixed size, one that takes image after image, and, behind a Light stage,
  /// one of the whole batch.
  void forward(std::size_t stage) {
    constexpr std::int64_t kWorkBytes = 3'000'000;
    script_.enter(Phase::forward, static_cast<int>(stage));
    use(stage, kWorkBytes);
    use(stage, 128 * (pixels_.image >> (2 * stage)));
    if (stage > 0 && plan_[stage - 1] == Policy::light) use(stage, 32 * pixels_of(stage));
    script_.change(stage, 8 * pixels_of(stage));
    if (kept_bytes(stage) > 0) script_.change(stage, kept_bytes(stage));
    if (stage > 0) script_.change(stage - 1, -8 * pixels_of(stage - 1));
  }

  /// Stage 0 takes a copy where stage 1 is Full, though no block of that changes then.
  void backward(std::size_t stage) {
    const auto owner = static_cast<int>(stage);
    const std::int64_t missing = 64 * pixels_of(stage) - kept_bytes(stage);
    if (missing > 0) script_.enter(Phase::recompute, owner).change(stage, missing);
    script_.enter(Phase::backward, owner).change(stage, 8 * pixels_of(stage));
    const std::int64_t gradient = stage + 1 < kStages ? 8 * pixels_of(stage + 1) : 8 * pixels_.step;
    script_.change(stage + 1, -gradient);
    if (stage == 0 && plan_[1] == Policy::full) use(0, 16 * pixels_.step);
    script_.change(stage, -64 * pixels_of(stage));
    // The last output lives until here; those of other stages went in forward.
    if (stage + 1 == kStages) script_.change(stage, -8 * pixels_of(stage));
  }

  void use(std::size_t owner, std::int64_t bytes) {
    script_.change(owner, bytes).change(owner, -bytes);
  }

  Plan plan_;
  StepPixels pixels_;
  StepScript script_;
};

RecordedSizes record(const Plan& plan) {
  return recorded_sizes(
      [&plan](const StepPixels& pixels) { return SyntheticStep(plan, pixels).timeline(); });
}

std::vector<Plan> every_plan() {
  std::vector<Plan> plans(1);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    std::vector<Plan> longer;
    for (const Plan& plan : plans) {
      for (const Policy policy : kThreePolicies) {
        longer.push_back(plan);
        longer.back().push_back(policy);
      }
    }
    plans = std::move(longer);
  }
  return plans;
}

/// Costs of the synthetic network, and the plans that they come from.
struct Fitted {
  std::set<Plan> recorded{};
  StepCosts costs{};
};

BytesFit fit_of_uniform_plans() {
  BytesFit fit(kStages, kThreePolicies);
  for (const Policy policy : kThreePolicies) fit.add(record(Plan(kStages, policy)));
  return fit;
}

/// As calibration does: plans of one policy, some random ones, then what is asked for.
Fitted fitted() {
  constexpr int kRandomPlans = 6;
  Fitted result;
  BytesFit fit = fit_of_uniform_plans();
  for (const Policy policy : kThreePolicies) result.recorded.insert(Plan(kStages, policy));
  std::mt19937 random(1);
  std::vector<Plan> next;
  for (int i = 0; i < kRandomPlans; ++i) next.push_back(every_plan().at(random() % 81));
  while (!next.empty()) {
    for (const Plan& plan : next) fit.add(record(plan));
    result.recorded.insert(next.begin(), next.end());
    result.costs.moments = fit.moments();
    next = fit.plans_to_record(result.costs.moments);
  }
  result.costs.stages = {"stage0", "stage1", "stage2", "stage3"};
  result.costs.policies = kThreePolicies;
  return result;
}

const StepMoment* find_moment(const StepCosts& costs, Phase phase, int owner) {
  const auto found = std::ranges::find_if(costs.moments, [&](const StepMoment& moment) {
    return moment.phase == phase && moment.owner == owner;
  });
  return found == costs.moments.end() ? nullptr : &*found;
}

/// Of each table of a moment, the stages that decide.
std::vector<std::vector<std::size_t>> deciding_stages(const StepCosts& costs, Phase phase,
                                                      int owner) {
  std::vector<std::vector<std::size_t>> stages;
  const StepMoment* const moment = find_moment(costs, phase, owner);
  for (std::size_t i = 0; moment != nullptr && i < moment->bytes.size(); ++i) {
    stages.push_back(moment->bytes[i].stages);
  }
  return stages;
}

TEST(BytesFit, FromThePlansItAskedFor_PredictsEveryPlanExactly) {
  const Fitted fit = fitted();
  const std::vector<Plan> plans = every_plan();
  ASSERT_EQ(plans.size(), 81U);
  EXPECT_LT(fit.recorded.size(), 20U);  // most plans below were never seen
  ASSERT_TRUE(is_consistent(fit.costs));
  for (const StepPixels& pixels :
       {StepPixels{64 * 64, 64 * 64}, StepPixels{7 * 192 * 192, 192 * 192},
        StepPixels{512 * 512, 512 * 512}, StepPixels{16 * 1024 * 1024, 1024 * 1024}}) {
    const SizedCosts sized = costs_at(fit.costs, pixels);
    for (const Plan& plan : plans) {
      const StepTimeline truth = SyntheticStep(plan, pixels).timeline();
      const auto predicted = predict(sized, plan);
      ASSERT_TRUE(predicted);
      EXPECT_EQ(predicted->peak_total_bytes, truth.total_bytes(truth.peak_point))
          << to_string(plan, fit.costs.stages) << " at " << pixels.step;
    }
  }
}

TEST(BytesFit, NeighboursWhoseBlocksChange_DecideTogether) {
  const StepCosts costs = fitted().costs;
  using Stages = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(deciding_stages(costs, Phase::forward, 2), (Stages{{1, 2}, {0}, {3}}));
  EXPECT_EQ(deciding_stages(costs, Phase::backward, 3), (Stages{{2, 3}, {0}, {1}}));
  EXPECT_EQ(deciding_stages(costs, Phase::optimizer, -1), (Stages{{}, {0}, {1}, {2}, {3}}));
}

TEST(BytesFit, StageThatDecidesWithoutABlockOfItsOwn_IsFound) {
  const std::vector<std::vector<std::size_t>> expected = {{0, 1}, {1}, {2}, {3}};
  EXPECT_EQ(deciding_stages(fitted().costs, Phase::backward, 0), expected);
}

TEST(BytesFit, StagesThatOnlyGiveBytesBack_DecideApart) {
  BytesFit fit(kStages, kThreePolicies);
  for (const Policy policy : kThreePolicies) {
    fit.add(recorded_sizes([policy](const StepPixels& pixels) {
      StepScript script(Plan(kStages, policy));
      for (std::size_t stage = 0; stage < kStages; ++stage) {
        script.enter(Phase::forward, static_cast<int>(stage)).change(stage, 8 * pixels.step);
      }
      script.enter(Phase::forward, static_cast<int>(kHead)).change(kHead, 8 * pixels.step);
      for (std::size_t stage = 0; stage < kStages; ++stage) script.change(stage, -4 * pixels.step);
      return script.timeline();
    }));
  }
  const std::vector<std::vector<std::size_t>> expected = {{}, {0}, {1}, {2}, {3}};
  EXPECT_EQ(deciding_stages({.moments = fit.moments()}, Phase::forward, static_cast<int>(kHead)),
            expected);
}

TEST(BytesFit, BytesOfNoStageThatAStageDecides_HaveATableOfTheirOwn) {
  constexpr std::int64_t kWorkBytes = 3'000'000;
  BytesFit fit(kStages, kThreePolicies);
  for (const Plan& plan : every_plan()) {
    fit.add(recorded_sizes([&plan](const StepPixels& pixels) {
      StepScript script(plan);
      script.change(kOther, (plan[0] == Policy::full ? 16 : 12) * pixels.step);
      script.enter(Phase::forward, 2).change(2, kWorkBytes).change(2, -kWorkBytes);
      return script.change(2, 8 * pixels.step).timeline();
    }));
  }
  const std::vector<std::vector<std::size_t>> expected = {{2}, {0}, {1}, {3}, {0}};
  EXPECT_EQ(deciding_stages({.moments = fit.moments()}, Phase::forward, 2), expected);
}

TEST(BytesFit, TriplesThatShareStages_AreAskedForByFewPlans) {
  StepMoment moment;
  for (const std::vector<std::size_t>& stages :
       std::vector<std::vector<std::size_t>>{{0, 1, 3}, {1, 2, 3}, {0, 2}}) {
    const std::size_t combinations = stages.size() == 3 ? 27 : 9;
    moment.bytes.push_back(
        {.stages = stages, .by_combination = std::vector<std::vector<Affine>>(combinations)});
  }
  // One plan holds one combination of a triple: 27 at least.
  EXPECT_LE(BytesFit(kStages, kThreePolicies).plans_to_record({moment}).size(), 30U);
}

TEST(BytesFit, CombinationsThatNoPlanHad_AreAskedFor) {
  const BytesFit fit = fit_of_uniform_plans();
  const std::vector<StepMoment> moments = fit.moments();
  EXPECT_FALSE(std::ranges::all_of(moments, is_complete));
  const std::vector<Plan> plans = fit.plans_to_record(moments);
  for (const StepMoment& moment : moments) {
    for (const CostTable& table : moment.bytes) {
      std::set<std::size_t> asked_for;
      for (const Plan& plan : plans) {
        std::size_t combination = 0;
        for (const std::size_t stage : table.stages) {
          combination = combination * kThreePolicies.size() + static_cast<std::size_t>(plan[stage]);
        }
        asked_for.insert(combination);
      }
      for (std::size_t i = 0; i < table.by_combination.size(); ++i) {
        EXPECT_TRUE(!table.by_combination[i].empty() || asked_for.contains(i))
            << kPhaseNames[static_cast<std::size_t>(moment.phase)] << ' ' << moment.owner;
      }
    }
  }
}

TEST(BytesFit, EveryCombinationSeen_AsksForNothing) {
  const StepCosts costs = fitted().costs;
  EXPECT_TRUE(std::ranges::all_of(costs.moments, is_complete));
  EXPECT_TRUE(BytesFit(kStages, kThreePolicies).plans_to_record(costs.moments).empty());
}

TEST(BytesFit, SlopesThatCancelButForRounding_AreZero) {
  // 64 + 128 - 192 bytes more at the large size; as doubles over its pixels they leave 2e-18.
  BytesFit fit(1, {Policy::keep});
  fit.add(recorded_sizes([](const StepPixels& pixels) {
    const std::int64_t grown = pixels.image == tests::kLargePixels.image ? 64 : 0;
    return StepScript({Policy::keep})
        .enter(Phase::forward, 0)
        .change(0, 4096)
        .change(0, 65536 - grown)
        .change(1, 65536 - 2 * grown)
        .change(2, 65536 + 3 * grown)
        .timeline();
  }));
  const std::vector<StepMoment> moments = fit.moments();
  ASSERT_EQ(moments.size(), 2U);
  const std::vector<Affine>& highest = moments[1].bytes.at(0).by_combination.at(0);
  ASSERT_EQ(highest.size(), 1U);
  EXPECT_NEAR(highest[0].constant, 4096 + 3 * 65536, 1e-6);
  EXPECT_EQ(highest[0].per_pixel, 0);
  EXPECT_EQ(highest[0].per_image_pixel, 0);
}

}  // namespace
}  // namespace headroom::plan
