// What the panel Model & plan knows and says of stages, against values written by hand.
#include "ui/stage_facts.hpp"

#include <gtest/gtest.h>

#include "ui/plan_head.hpp"
#include "ui/slides.hpp"
#include "ui/stage_text.hpp"

namespace headroom::ui {
namespace {

using plan::Policy;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// One stage with Keep and Full measured, running with Keep.
run::RunSnapshot one_stage() {
  run::RunSnapshot run;
  run.state = run::RunState::training;
  run::SessionFacts facts;
  facts.stages = {"enc1"};
  facts.policies = {Policy::keep, Policy::full};
  facts.precision = "fp32";
  facts.budget_bytes = 2000 * kMiB;
  run.facts = std::make_shared<const run::SessionFacts>(std::move(facts));
  run.requested_plan = run.applied_plan = {Policy::keep};
  run::StepReport step;
  step.peak_total_bytes = 1000 * kMiB;
  step.total_seconds = 0.5;
  step.peak_stage = "enc1";
  step.plan = {Policy::keep};
  step.stages.push_back({.name = "enc1",
                         .channels = 32,
                         .height = 64,
                         .width = 128,
                         .kept_bytes = 800 * kMiB,
                         .bytes_at_peak = 250 * kMiB,
                         .forward_seconds = 0.02,
                         .backward_seconds = 0.044});
  step.head.name = "head";
  run.last_step = std::move(step);
  run.stages.resize(2);
  run.stages[0][0] = {.step = 300, .kept_bytes = 800 * kMiB, .seconds = 0.064};
  run.stages[0][2] = {.step = 230, .kept_bytes = 400 * kMiB, .seconds = 0.069};
  return run;
}

TEST(NetworkFacts, Stage_IsAsItWasMeasured) {
  const NetworkFacts network = network_facts(one_stage(), {Policy::keep});
  ASSERT_EQ(network.stages.size(), 2U);
  const StageFacts& stage = network.stages[0];
  EXPECT_EQ(stage.kept_bytes, 800 * kMiB);
  EXPECT_DOUBLE_EQ(stage.share_of_peak.value(), 0.25);
  EXPECT_TRUE(stage.is_peak);
  EXPECT_FALSE(stage.is_next);
  EXPECT_TRUE(network.stages[1].is_head);
  EXPECT_EQ(network.refusal_of(0, Policy::light), "This network trains with Keep and Full.");
  EXPECT_EQ(network.refusal_of(0, Policy::full), "");
  EXPECT_EQ(network.refusal_of(1, Policy::full), "The head is always kept.");
}

TEST(NetworkFacts, PolicyThatIsAskedFor_ShowsWhatItHeldBefore) {
  const NetworkFacts network = network_facts(one_stage(), {Policy::full});
  EXPECT_TRUE(network.stages[0].is_next);
  EXPECT_EQ(network.stages[0].solid_bytes(), 400 * kMiB);
  EXPECT_EQ(network.stages[0].outline_bytes(), 800 * kMiB);
}

TEST(StageText, ChangeOfPolicy_IsTheDifferenceOfMeasurements) {
  const NetworkFacts network = network_facts(one_stage(), {Policy::keep});
  const StageFacts& stage = network.stages[0];
  EXPECT_EQ(stage_line(stage), "enc1: Keep, 800 MiB, 64 ms");
  EXPECT_EQ(change_text(stage, Policy::full),
            "\xE2\x88\x92"
            "400 MiB, +5.00 ms");
  EXPECT_EQ(measured_at_text(stage, Policy::full), "measured at step 230");
  EXPECT_EQ(change_text(stage, Policy::light), "not measured yet");
  EXPECT_EQ(size_text(stage), "128 \xC3\x97 64, 32 channels");
}

TEST(StageText, BeforeTheFirstStep_HasNoNumbers) {
  run::RunSnapshot run = one_stage();
  run.last_step.reset();
  run.stages.clear();
  run.applied_plan.clear();
  const NetworkFacts network = network_facts(run, {Policy::keep});
  EXPECT_EQ(stage_line(network.stages[0]), "enc1: Keep");
  EXPECT_EQ(size_text(network.stages[0]), "");
  EXPECT_EQ(saved_text(network.stages[0]), "\xE2\x80\x93");
  EXPECT_EQ(peak_note(run, network, false), "");
}

TEST(PlanHead, Notes_AreOfMeasurementsInThisRunAlone) {
  run::RunSnapshot run = one_stage();
  EXPECT_EQ(peak_note(run, network_facts(run, {Policy::keep}), false), "all Keep");
  run.last_step->plan = run.applied_plan = {Policy::full};
  run.last_step->stages[0].policy = Policy::full;
  run.last_step->stages[0].kept_bytes = 400 * kMiB;
  // The head was not measured under Keep: nothing can be said of the whole.
  run.last_step->head.policy = Policy::full;
  EXPECT_EQ(peak_note(run, network_facts(run, {Policy::full}), false), "");
  EXPECT_EQ(step_time_note(run, network_facts(run, {Policy::full}), false), "");
  run.plan_marks.push_back({.number = 1,
                            .step = 5,
                            .effect = run::PlanMeasured{.number = 1,
                                                        .before = {Policy::keep},
                                                        .after = {Policy::full},
                                                        .peak_total_bytes_before = 2000 * kMiB,
                                                        .peak_total_bytes_after = 1000 * kMiB,
                                                        .step_seconds_before = 0.4,
                                                        .step_seconds_after = 0.5}});
  const NetworkFacts network = network_facts(run, {Policy::full});
  EXPECT_EQ(peak_note(run, network, false),
            "\xE2\x88\x92"
            "50 % against all Keep");
  EXPECT_EQ(step_time_note(run, network, false), "+25 % against all Keep");
  EXPECT_EQ(step_time_note(run, network, true), "+25 % to all Keep");
}

/// One stage with Full since step 5, all Keep before; 0.4 s and 0.5 s a step.
run::RunSnapshot changed_plan() {
  run::RunSnapshot run = one_stage();
  run.last_step->plan = run.applied_plan = run.requested_plan = {Policy::full};
  run.plan_marks = {{.number = 0, .step = 1, .plan = {Policy::keep}},
                    {.number = 1,
                     .step = 5,
                     .plan = {Policy::full},
                     .effect = run::PlanMeasured{.number = 1,
                                                 .before = {Policy::keep},
                                                 .after = {Policy::full},
                                                 .step_seconds_before = 0.4,
                                                 .step_seconds_after = 0.5}}};
  return run;
}

/// A step of `own` seconds that waited `waiting` seconds for data.
void add_step(run::RunSnapshot& run, std::int64_t step, double own, double waiting) {
  run::StepReport report = *run.last_step;
  report.step = step;
  report.total_seconds = own + waiting;
  report.seconds[static_cast<std::size_t>(plan::Phase::data)] = waiting;
  run.history.add(report);
  run.last_step = report;
}

TEST(PlanHead, StepTime_IsComparedWithoutWaitingForData) {
  run::RunSnapshot run = changed_plan();
  add_step(run, 20, 0.5, 3.0);
  EXPECT_EQ(step_time_note(run, network_facts(run, {Policy::full}), false),
            "+25 % against all Keep");
}

TEST(PlanHead, StepTimeOfAPlanWithoutAMeasuredMark_IsTheMedianOfItsSteps) {
  run::RunSnapshot run = changed_plan();
  run.plan_marks.push_back({.number = 2, .step = 30, .plan = {Policy::full}});
  for (std::int64_t step = 21; step < 30; ++step) add_step(run, step, 9.0, 0);
  add_step(run, 30, 7.0, 0);  // the first of a plan does not count
  for (std::int64_t step = 31; step < 36; ++step) add_step(run, step, 0.6, 0.2);
  add_step(run, 36, 5.0, 0.1);
  EXPECT_NEAR(plan_step_seconds(run), 0.6, 1e-9);
  EXPECT_EQ(step_time_note(run, network_facts(run, {Policy::full}), false),
            "+50 % against all Keep");
}

TEST(NetworkFacts, ConfiguredRun_TakesPlansBeforeItStarts) {
  run::RunSnapshot run;
  run.state = run::RunState::ready;
  EXPECT_FALSE(is_before_start(run));
  run.request = run::RunRequest{};
  run.request->settings.model.levels = 3;
  EXPECT_TRUE(is_before_start(run));
  const NetworkFacts network = network_facts(run, {});
  ASSERT_EQ(network.plan_size(), 5U);
  EXPECT_EQ(network.refusal_of(0, Policy::light), "");
  EXPECT_EQ(network.refusal_of(0, Policy::full), "");
  EXPECT_NE(network.refusal_of(0, Policy::offload), "");
}

TEST(Slides, Value_ReachesItsTargetIn120Milliseconds) {
  Slides slides;
  EXPECT_FLOAT_EQ(slides.at(0, 1, 10), 1);
  EXPECT_FALSE(slides.is_moving(10));
  EXPECT_FLOAT_EQ(slides.at(0, 0, 10), 1);
  EXPECT_TRUE(slides.is_moving(10.05));
  const float half_way = slides.at(0, 0, 10.06);
  EXPECT_GT(half_way, 0.0F);
  EXPECT_LT(half_way, 1.0F);
  EXPECT_FLOAT_EQ(slides.at(0, 0, 10.121), 0);
  EXPECT_FALSE(slides.is_moving(10.121));
}

}  // namespace
}  // namespace headroom::ui
