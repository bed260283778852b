#include "core/run/log_text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <utility>

namespace headroom::run {
namespace {

using plan::Plan;
using plan::Policy;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
const std::vector<std::string> kStages = {"enc1", "enc2", "enc3", "dec2", "dec1"};
const Plan kKeep(5, Policy::keep);

PlanMeasured measured(std::int64_t peak_before, std::int64_t peak_after, double seconds_before,
                      double seconds_after) {
  PlanMeasured effect{.number = 1, .step = 213, .before = kKeep, .after = kKeep};
  effect.after[2] = Policy::full;
  effect.peak_total_bytes_before = peak_before;
  effect.peak_total_bytes_after = peak_after;
  effect.step_seconds_before = seconds_before;
  effect.step_seconds_after = seconds_after;
  return effect;
}

TEST(LogText, MeasuredPlan_SaysWhatChangedInBytesAndMilliseconds) {
  EXPECT_EQ(describe(measured(5325 * kMiB, 4725 * kMiB, 0.801, 0.831), kStages),
            "Plan A: enc3 Full. Peak −600.0 MiB (5.20 → 4.61 GiB), step +30 ms (801 → 831 ms)");
  EXPECT_EQ(describe(measured(1000 * kMiB, 1126 * kMiB, 0.0093, 0.0081), kStages),
            "Plan A: enc3 Full. Peak +126.0 MiB (1000.0 MiB → 1.10 GiB), step −1.2 ms (9.3 → 8.1 "
            "ms)");
  EXPECT_EQ(describe(measured(kMiB, kMiB, 12.34, 12.31), kStages),
            "Plan A: enc3 Full. Peak as before (1.00 MiB), step as before (12.3 s)");
}

TEST(LogText, Change_ListsWhatTheStagesThatChangedDoNow) {
  const Plan full(5, Policy::full);
  Plan two = kKeep;
  two[2] = two[4] = Policy::full;
  EXPECT_EQ(describe_change(kKeep, two, kStages), "enc3 Full, dec1 Full");
  EXPECT_EQ(describe_change(two, full, kStages), "enc1 Full, enc2 Full, dec2 Full");
  EXPECT_EQ(describe_change(kKeep, full, kStages), "all stages Full");
  EXPECT_EQ(describe_change(kKeep, kKeep, kStages), "as before");
  EXPECT_EQ(describe_change({}, {Policy::offload}, {}), "stage 1 Offload");
}

TEST(LogText, MemoryThatRanOut_SaysWhatWasDoneAndWhatItMeansForTheWeights) {
  const Plan full(5, Policy::full);
  MemoryRelief relief{.step = 1213,
                      .refused_bytes = 1200 * kMiB,
                      .budget_bytes = 1024 * kMiB,
                      .before = {kKeep, 4},
                      .after = {full, 4}};
  EXPECT_EQ(describe(relief, kStages),
            "Out of memory at step 1\u2009213 (at least 1.17 GiB needed, budget 1.00 GiB): all "
            "stages Full, the step is repeated");
  relief.after = {kKeep, 1};
  relief.budget_bytes = 0;
  EXPECT_EQ(describe(relief, kStages),
            "Out of memory at step 1\u2009213 (at least 1.17 GiB needed): 1 tile at once, the step "
            "is repeated. Samples, effective batch and schedule stay; batch norm, Dice and dropout "
            "see fewer tiles at a time, so that weights will differ");
  relief.work = RepeatedWork::save;
  relief.budget_bytes = 1024 * kMiB;
  relief.refused_bytes = 0;
  EXPECT_EQ(describe(relief, kStages),
            "Out of memory while saving after step 1\u2009213 (budget 1.00 GiB): it is repeated");
  relief.after = {full, 2};
  EXPECT_EQ(describe_form_change(relief.before, relief.after, kStages),
            "all stages Full, 2 tiles at once");
}

TEST(LogText, Validation_WithoutACountedPixel_HasADashForItsScore) {
  EXPECT_EQ(describe(ValidationReport{.step = 1680, .mean_dice = 0.8321, .is_best = true}),
            "Validation at 1\u2009680: mean Dice 0.832, best so far");
  EXPECT_EQ(
      describe(ValidationReport{.step = 20, .mean_dice = std::numeric_limits<double>::quiet_NaN()}),
      "Validation at 20: mean Dice –");
}

TEST(LogText, SelfTest_SaysHowManyOrWhatWentWrong) {
  EXPECT_EQ(describe(SelfTestReport{.plans = 32, .equal = 32, .seconds = 0.61}),
            "Self-test passed: 32 plans gave the same bits as Keep (0.61 s)");
  EXPECT_EQ(describe(SelfTestReport{.plans = 32, .equal = 31}),
            "Self-test failed: 1 of 32 plans did not give the same bits as Keep");
  EXPECT_EQ(describe(SelfTestReport{.problem = "no memory"}), "Self-test failed: no memory");
}

class LogOfARun : public testing::Test {
 protected:
  void add(const Event& event) { snapshot_ = reduce(std::move(snapshot_), event, time_); }
  void change_state(RunState to) { add(StateChanged{snapshot_.state, to}); }

  std::chrono::system_clock::time_point time_{std::chrono::seconds(1'000'000'000)};
  RunSnapshot snapshot_{};
};

TEST_F(LogOfARun, WholeRun_IsToldLineByLine) {
  SessionFacts facts;
  facts.stages = kStages;
  facts.steps = 2000;
  facts.plan = kKeep;
  Plan changed = kKeep;
  changed[2] = Policy::full;
  change_state(RunState::preparing);
  add(LogLine{.severity = base::Severity::warning, .text = "b.png: no mask"});
  add(Prepared{std::make_shared<const SessionFacts>(facts)});
  change_state(RunState::training);
  add(PlanApplied{.step = 1, .plan = kKeep});
  StepReport step;
  step.step = 212;
  add(StepDone{step});
  add(PlanApplied{.step = 213, .plan = changed});
  add(LearningRateSet{.step = 214, .peak_rate = 5e-4});
  change_state(RunState::paused);
  add(Saved{.step = 500, .bytes = 94 * kMiB});
  change_state(RunState::training);
  change_state(RunState::validating);
  change_state(RunState::training);
  add(Finished{.outcome = Outcome::stopped, .step = 1212});

  std::vector<std::string> lines;
  for (const LogEntry& entry : snapshot_.log) lines.push_back(entry.text);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "b.png: no mask", "Training started: 2\u2009000 steps",
                       "Plan A: enc3 Full from step 213", "Learning rate 0.0005 from step 214",
                       "Paused after step 212", "Run state saved, step 500, 94.0 MiB", "Resumed",
                       "Stopped after step 1\u2009212"}));
  EXPECT_EQ(snapshot_.log[0].topic, LogTopic::finding);
  EXPECT_EQ(snapshot_.log[0].severity, base::Severity::warning);
  EXPECT_EQ(snapshot_.log[2].topic, LogTopic::plan);
  EXPECT_EQ(snapshot_.log[2].plan_number, 1);
  EXPECT_EQ(snapshot_.log[5].topic, LogTopic::save);
  for (const LogEntry& entry : snapshot_.log) EXPECT_EQ(entry.time, time_);
}

TEST_F(LogOfARun, ResumedRun_SaysWhereItGoesOn) {
  SessionFacts facts;
  facts.steps = 2000;
  facts.first_step = 500;
  add(Prepared{std::make_shared<const SessionFacts>(facts)});
  EXPECT_EQ(snapshot_.log.at(0).text, "Training continues after step 500 of 2\u2009000");
}

}  // namespace
}  // namespace headroom::run
