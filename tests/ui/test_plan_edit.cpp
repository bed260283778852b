// Choices of plan that the run takes later than the person makes them.
#include "ui/plan_edit.hpp"

#include <gtest/gtest.h>

namespace headroom::ui {
namespace {

using plan::Plan;
using plan::Policy;
constexpr Policy kKeep = Policy::keep;
constexpr Policy kFull = Policy::full;

/// A training of three stages that has taken `plan`.
run::RunSnapshot taken(Plan plan, std::int64_t steps_done = 10) {
  run::RunSnapshot run;
  run.state = run::RunState::training;
  run.requested_plan = run.applied_plan = std::move(plan);
  run.steps_done = steps_done;
  run::SessionFacts facts;
  facts.stages = {"enc1", "enc2", "dec1"};
  run.facts = std::make_shared<const run::SessionFacts>(std::move(facts));
  return run;
}

const Plan kAllKeep = {kKeep, kKeep, kKeep};

TEST(NextPolicy, Cycle_SkipsWhatTheRunCannotDo) {
  EXPECT_EQ(next_policy(kKeep, {kKeep, kFull}), kFull);
  EXPECT_EQ(next_policy(kFull, {kKeep, kFull}), kKeep);
  EXPECT_EQ(next_policy(Policy::light, {kKeep, kFull}), kFull);
  EXPECT_EQ(next_policy(kKeep, {kKeep}), kKeep);
  EXPECT_EQ(next_policy(kKeep, {}), kKeep);
}

TEST(PlanOf, PlansOfOtherLengths_AreLeftOut) {
  run::RunSnapshot run = taken({kFull, kKeep, kKeep});
  run.requested_plan = {kFull};
  EXPECT_EQ(plan_of(run), (Plan{kFull, kKeep, kKeep}));
  run.applied_plan.clear();
  EXPECT_EQ(plan_of(run), kAllKeep);
}

TEST(PlanOf, RunThatIsConfigured_IsThatOfItsSettings) {
  run::RunSnapshot run;
  run.state = run::RunState::ready;
  run.request = run::RunRequest{};
  run.request->settings.model.levels = 2;
  run.request->settings.step.plan = "enc2=full";
  EXPECT_EQ(plan_of(run), (Plan{kKeep, kFull, kKeep}));
  run.request->settings.step.plan = "light";
  EXPECT_EQ(plan_of(run), Plan(3, Policy::light));
  for (const char* const text : {"auto", "enc9=full", "nonsense"}) {
    run.request->settings.step.plan = text;
    EXPECT_EQ(plan_of(run), kAllKeep) << text;
  }
}

TEST(PlanEdit, ConsecutiveChoices_BuildOnEachOther) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  EXPECT_EQ(edit.choose(0, kFull), (Plan{kFull, kKeep, kKeep}));
  edit.observe(taken(kAllKeep), 0.01);
  EXPECT_EQ(edit.choose(2, kFull), (Plan{kFull, kKeep, kFull}));
  EXPECT_EQ(edit.plan(), (Plan{kFull, kKeep, kFull}));
}

TEST(PlanEdit, ChoiceOfWhatIsThere_AsksForNothing) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  EXPECT_FALSE(edit.choose(1, kKeep).has_value());
  EXPECT_FALSE(edit.choose(17, kFull).has_value());
  EXPECT_FALSE(edit.can_undo());
}

TEST(PlanEdit, SnapshotBetweenTwoChoices_DoesNotBringTheOlderOneBack) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  ASSERT_TRUE(edit.choose(0, kKeep).has_value());
  edit.observe(taken({kFull, kKeep, kKeep}), 0.1);
  EXPECT_EQ(edit.plan(), kAllKeep);
  edit.observe(taken(kAllKeep), 0.2);
  EXPECT_EQ(edit.plan(), kAllKeep);
  // From here on the run's word counts.
  edit.observe(taken({kKeep, kFull, kKeep}), 0.3);
  EXPECT_EQ(edit.plan(), (Plan{kKeep, kFull, kKeep}));
}

TEST(PlanEdit, ThereAndBackBetweenTwoSnapshots_IsForgottenAfterAWhile) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  ASSERT_TRUE(edit.choose(0, kKeep).has_value());
  edit.observe(taken(kAllKeep), 0.6);
  edit.observe(taken({kKeep, kFull, kKeep}), 0.7);
  EXPECT_EQ(edit.plan(), (Plan{kKeep, kFull, kKeep}));
}

TEST(PlanEdit, ChoiceThatTheRunNeverTook_IsForgottenAfterTwoSteps) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep, 10), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  // A step may take minutes.
  edit.observe(taken(kAllKeep, 11), 300);
  EXPECT_EQ(edit.plan()[0], kFull);
  edit.observe(taken(kAllKeep, 12), 600);
  EXPECT_EQ(edit.plan(), kAllKeep);
}

TEST(PlanEdit, RunThatTakesNoPlanNow_ForgetsChoices) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  run::RunSnapshot over = taken(kAllKeep);
  over.state = run::RunState::finished;
  edit.observe(over, 0.1);
  EXPECT_EQ(edit.plan(), kAllKeep);
}

TEST(PlanEdit, Stroke_IsOneChangeOfSeveralStages) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  edit.begin_stroke(0, kFull);
  edit.paint(1);
  edit.paint(99);
  EXPECT_EQ(edit.plan(), (Plan{kFull, kFull, kKeep}));
  EXPECT_EQ(edit.end_stroke(), (Plan{kFull, kFull, kKeep}));
  EXPECT_EQ(edit.undo(), kAllKeep);
  EXPECT_FALSE(edit.can_undo());
}

TEST(PlanEdit, CancelledStroke_LeavesNothing) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  edit.begin_stroke(0, kFull);
  edit.cancel_stroke();
  EXPECT_EQ(edit.plan(), kAllKeep);
  EXPECT_FALSE(edit.end_stroke().has_value());
  EXPECT_FALSE(edit.can_undo());
}

TEST(PlanEdit, Undo_GoesBackStepByStep) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  ASSERT_TRUE(edit.choose(1, kFull).has_value());
  EXPECT_EQ(edit.undo(), (Plan{kFull, kKeep, kKeep}));
  EXPECT_EQ(edit.undo(), kAllKeep);
  EXPECT_FALSE(edit.undo().has_value());
}

TEST(PlanEdit, AnotherRun_HasNothingToUndo) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  ASSERT_TRUE(edit.choose(0, kFull).has_value());
  run::RunSnapshot other = taken(kAllKeep);
  other.request = run::RunRequest{.run_folder = "runs/other"};
  edit.observe(other, 0.1);
  EXPECT_FALSE(edit.can_undo());
  EXPECT_EQ(edit.plan(), kAllKeep);
}

TEST(PlanEdit, ManyChanges_KeepABoundedUndo) {
  PlanEdit edit;
  edit.observe(taken(kAllKeep), 0);
  for (std::size_t i = 0; i < PlanEdit::kUndoSteps + 50; ++i)
    ASSERT_TRUE(edit.choose(0, i % 2 == 0 ? kFull : kKeep).has_value());
  std::size_t undone = 0;
  while (edit.undo().has_value()) ++undone;
  EXPECT_EQ(undone, PlanEdit::kUndoSteps);
}

}  // namespace
}  // namespace headroom::ui
