// Model & plan driven by mouse and keyboard: what it asks of the run, and what it tells.
#include "ui/model_plan.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <limits>
#include <string>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

using plan::Plan;
using plan::Policy;

/// Nine stages, all Keep, of a network that has Keep and Full alone.
run::RunSnapshot all_keep() {
  run::RunSnapshot run = training_snapshot({.steps_done = 100, .plan_changes = {}});
  run::SessionFacts facts = *run.facts;
  facts.policies = {Policy::keep, Policy::full};
  run.facts = std::make_shared<const run::SessionFacts>(std::move(facts));
  return run;
}

Plan with_full(std::initializer_list<std::size_t> stages) {
  Plan plan(9, Policy::keep);
  for (const std::size_t stage : stages) plan[stage] = Policy::full;
  return plan;
}

std::vector<Plan> asked_plans(const HeadlessDashboard& window) {
  std::vector<Plan> plans;
  for (const run::SetPlan& command : window.commands<run::SetPlan>()) plans.push_back(command.plan);
  return plans;
}

struct ModelPlan : ::testing::Test {
  ModelPlan() {
    window.run = shared(all_keep());
    window.settle();
  }
  /// Gives the keyboard to the panel without choosing anything.
  void focus() { window.click("plan/row/enc1"); }

  HeadlessDashboard window{};
};

TEST_F(ModelPlan, ClickOnAStage_AsksForTheNextPolicyOfThisStage) {
  window.click("plan/stage/enc1");
  EXPECT_EQ(asked_plans(window), std::vector<Plan>{with_full({0})});
  EXPECT_EQ(window.asked.commands.size(), 1U);
}

TEST_F(ModelPlan, ClicksFasterThanTheRun_BuildOnEachOther) {
  window.click("plan/stage/enc1");
  window.click("plan/stage/enc3");
  window.click("plan/stage/enc1");
  EXPECT_EQ(asked_plans(window),
            (std::vector<Plan>{with_full({0}), with_full({0, 2}), with_full({2})}));
}

TEST_F(ModelPlan, PolicyThatIsAskedFor_IsShownAtOnce) {
  window.click("plan/stage/dec1");
  EXPECT_EQ(window.find("plan/stage/dec1")->text, "Full");
  EXPECT_EQ(window.find("plan/stage/enc1")->text, "Keep");
}

TEST_F(ModelPlan, DragOverBlocks_PaintsTheFirstOnesNewPolicyAsOneChange) {
  window.drag("plan/stage/enc1", "plan/stage/enc3");
  EXPECT_EQ(asked_plans(window), std::vector<Plan>{with_full({0, 1, 2})});
  window.click("plan/undo");
  EXPECT_EQ(asked_plans(window).back(), with_full({}));
}

TEST_F(ModelPlan, RightClick_OpensAMenuOfAllFour) {
  window.click("plan/stage/enc2", ImGuiMouseButton_Right);
  window.frames(2);
  ASSERT_NE(window.find("plan/menu/light"), nullptr);
  EXPECT_FALSE(window.find("plan/menu/light")->enabled);
  EXPECT_EQ(window.find("plan/menu/light")->text, "This network trains with Keep and Full.");
  EXPECT_FALSE(window.find("plan/menu/offload")->enabled);
  window.click("plan/menu/light");
  EXPECT_TRUE(asked_plans(window).empty());
  window.click("plan/menu/full");
  EXPECT_EQ(asked_plans(window), std::vector<Plan>{with_full({1})});
  window.frames(2);
  EXPECT_EQ(window.find("plan/menu/full"), nullptr);
}

TEST_F(ModelPlan, Keys_MoveChooseCycleAndUndo) {
  focus();
  window.press(ImGuiKey_RightArrow);
  window.press(ImGuiKey_DownArrow);
  window.press(ImGuiKey_3);
  EXPECT_EQ(asked_plans(window).back(), with_full({2}));
  window.press(ImGuiKey_LeftArrow);
  window.press(ImGuiKey_Space);
  EXPECT_EQ(asked_plans(window).back(), with_full({1, 2}));
  window.press(ImGuiKey_Enter);
  EXPECT_EQ(asked_plans(window).back(), with_full({2}));
  window.press(ImGuiKey_1);
  window.press(ImGuiKey_2);
  EXPECT_EQ(asked_plans(window).size(), 3U) << "Keep is there already, Light cannot be done";
  window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  EXPECT_EQ(asked_plans(window).back(), with_full({1, 2}));
  EXPECT_TRUE(window.commands<run::Pause>().empty());
}

TEST_F(ModelPlan, HeldKeys_MoveOnButChooseOnce) {
  focus();
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiKey_Enter, true);
  window.frames(90);
  io.AddKeyEvent(ImGuiKey_Enter, false);
  window.frame();
  EXPECT_EQ(asked_plans(window).size(), 1U);
  io.AddKeyEvent(ImGuiKey_RightArrow, true);
  window.frames(90);
  io.AddKeyEvent(ImGuiKey_RightArrow, false);
  window.frame();
  window.press(ImGuiKey_3);
  EXPECT_EQ(asked_plans(window).size(), 1U) << "the selection went on to the head";
}

TEST_F(ModelPlan, NetworkWithLight_HasItInTheCycle) {
  window.run = shared(training_snapshot({.steps_done = 100, .plan_changes = {}}));
  window.frames(2);
  Plan expected(9, Policy::keep);
  expected[0] = Policy::light;
  window.click("plan/stage/enc1");
  EXPECT_EQ(asked_plans(window).back(), expected);
}

TEST_F(ModelPlan, BeforeTheStart_SetsThePlanOfTheRequest) {
  run::RunSnapshot ready;
  ready.state = run::RunState::ready;
  ready.request = all_keep().request;
  window.run = shared(ready);
  window.settle();
  window.click("plan/stage/enc1");
  ASSERT_EQ(window.commands<run::Configure>().size(), 1U);
  EXPECT_EQ(window.commands<run::Configure>()[0].request.settings.step.plan, "enc1=light");
  EXPECT_EQ(window.commands<run::Configure>()[0].request.settings.step.batch, 2);
  ready.request = window.commands<run::Configure>()[0].request;
  window.run = shared(ready);
  window.frames(2);
  window.click("plan/row/enc2/policy");
  EXPECT_EQ(window.commands<run::Configure>().back().request.settings.step.plan,
            "enc1=light,enc2=light");
  window.click("plan/undo");
  EXPECT_EQ(window.commands<run::Configure>().back().request.settings.step.plan, "enc1=light");
  EXPECT_TRUE(window.commands<run::SetPlan>().empty());
}

TEST_F(ModelPlan, Selection_StopsAtBothEnds) {
  focus();
  for (int i = 0; i < 30; ++i) window.press(ImGuiKey_LeftArrow);
  window.press(ImGuiKey_3);
  EXPECT_EQ(asked_plans(window).back(), with_full({0}));
  for (int i = 0; i < 30; ++i) window.press(ImGuiKey_RightArrow);
  window.press(ImGuiKey_3);
  EXPECT_EQ(asked_plans(window).size(), 1U) << "the head is no switch";
}

TEST_F(ModelPlan, Inspector_ChoosesForTheSelectedStage) {
  window.click("plan/row/dec1");
  window.click("plan/policy/full");
  EXPECT_EQ(asked_plans(window), std::vector<Plan>{with_full({8})});
  EXPECT_FALSE(window.find("plan/policy/light")->enabled);
  window.click("plan/row/head");
  window.frame();
  EXPECT_EQ(window.find("plan/policy/full")->text, "The head is always kept.");
}

TEST_F(ModelPlan, PolicyInTheTable_CyclesItsStage) {
  window.click("plan/row/enc4/policy");
  EXPECT_EQ(asked_plans(window), std::vector<Plan>{with_full({3})});
}

TEST_F(ModelPlan, Tooltip_TellsWhatIsAndWhatAClickDoes) {
  run::RunSnapshot run = all_keep();
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  run.stages[2][0] = {.step = 90, .kept_bytes = 800 * kMiB, .seconds = 0.064};
  run.stages[2][2] = {.step = 30, .kept_bytes = 400 * kMiB, .seconds = 0.080};
  window.run = shared(std::move(run));
  window.move_to("plan/stage/enc3");
  window.frames(2);
  ASSERT_NE(window.find("plan/tooltip"), nullptr);
  EXPECT_EQ(window.find("plan/tooltip")->text,
            "enc3: Keep, 800 MiB, 64 ms\nFull: \xE2\x88\x92"
            "400 MiB, +16 ms\nmeasured at step 30");
  window.move_to("plan/stage/enc4");
  window.frames(2);
  EXPECT_TRUE(window.find("plan/tooltip")->text.ends_with("Full: not measured yet\n"));
}

TEST_F(ModelPlan, StatesThatTakeNoPlan_TellTheReason) {
  for (std::size_t i = 1; i < run::kRunStates; ++i) {
    const auto state = static_cast<run::RunState>(i);
    HeadlessDashboard other;
    run::RunSnapshot run = all_keep();
    run.state = state;
    other.run = shared(std::move(run));
    other.settle();
    // Notices lie over the panel where a run is over; the controls below them are there.
    const bool takes = state == run::RunState::training || state == run::RunState::paused ||
                       state == run::RunState::validating;
    for (const char* const name : {"plan/stage/enc1", "plan/policy/full", "plan/row/enc1/policy"}) {
      ASSERT_NE(other.find(name), nullptr) << run::name_of(state);
      EXPECT_EQ(other.find(name)->enabled, takes) << name << ' ' << run::name_of(state);
      EXPECT_FALSE(other.find(name)->text.empty());
    }
    other.click("plan/stage/enc1");
    other.press(ImGuiKey_3);
    EXPECT_EQ(other.commands<run::SetPlan>().size(), takes ? 1U : 0U) << run::name_of(state);
  }
}

TEST_F(ModelPlan, FinishedRun_SaysThatItIsOver) {
  run::RunSnapshot run = all_keep();
  run.state = run::RunState::finished;
  window.run = shared(std::move(run));
  window.frames(2);
  EXPECT_EQ(window.find("plan/stage/enc1")->text, "The run is over.");
  EXPECT_EQ(window.find("plan/undo")->text, "The run is over.");
}

TEST_F(ModelPlan, Undo_IsRefusedBeforeTheFirstChange) {
  EXPECT_FALSE(window.find("plan/undo")->enabled);
  EXPECT_EQ(window.find("plan/undo")->text, "Nothing was changed yet.");
  window.click("plan/stage/enc1");
  window.frame();
  EXPECT_TRUE(window.find("plan/undo")->enabled);
}

TEST_F(ModelPlan, HoveredRow_LightsTheBlock) {
  window.move_to("plan/row/enc2");
  window.frames(3);
  EXPECT_EQ(window.find("plan/tooltip"), nullptr);
  window.move_to("plan/stage/enc2");
  window.frames(3);
  EXPECT_NE(window.find("plan/tooltip"), nullptr);
}

TEST_F(ModelPlan, ChangedPolicy_MovesForAMomentOnly) {
  run::RunSnapshot run = training_snapshot();
  window.run = shared(std::move(run));
  window.frames(20);
  EXPECT_FALSE(window.dashboard().is_animating());
  window.click("plan/stage/enc3");  // Full was measured before
  EXPECT_TRUE(window.dashboard().is_animating());
  window.frames(20);
  EXPECT_FALSE(window.dashboard().is_animating());
}

TEST(ModelPlanStill, ReducedMotion_JumpsAtOnce) {
  ui::Preferences preferences;
  preferences.reduce_motion = true;
  HeadlessDashboard window(1920, 1080, preferences);
  window.run = shared(training_snapshot());
  window.frames(20);
  window.click("plan/stage/enc3");
  EXPECT_FALSE(window.dashboard().is_animating());
}

TEST(ModelPlanSmall, SmallWindow_HasTheSameControls) {
  HeadlessDashboard window(1280, 720);
  window.run = shared(all_keep());
  window.settle();
  window.click("plan/stage/enc5");
  window.click("plan/policy/keep");
  EXPECT_EQ(asked_plans(window), (std::vector<Plan>{with_full({4}), with_full({})}));
}

// ---------------------------------------------------------------- hostile snapshots

/// Nothing in it agrees with anything else.
run::RunSnapshot at_odds() {
  run::RunSnapshot run = training_snapshot({.levels = 8, .steps_done = 5, .plan_changes = {}});
  run::SessionFacts facts = *run.facts;
  facts.stages.clear();
  for (int i = 0; i < 64; ++i) facts.stages.push_back(i % 3 == 0 ? "" : std::string(300, 'x'));
  facts.steps = 0;
  facts.policies.clear();
  facts.budget_bytes = -5;
  run.facts = std::make_shared<const run::SessionFacts>(facts);
  run.applied_plan.resize(3);
  run.requested_plan.clear();
  run.stages.resize(1);
  run.last_step->stages.resize(2);
  run.last_step->stages[0].kept_bytes = std::numeric_limits<std::int64_t>::max();
  run.last_step->stages[1].kept_bytes = -7;
  run.last_step->stages[0].forward_seconds = std::numeric_limits<double>::quiet_NaN();
  run.last_step->peak_total_bytes = 0;
  run.last_step->total_seconds = std::numeric_limits<double>::infinity();
  run.steps_done = -3;
  return run;
}

std::vector<run::RunSnapshot> hostile_snapshots() {
  std::vector<run::RunSnapshot> runs;
  runs.push_back(at_odds());
  runs.emplace_back();
  runs.back().state = run::RunState::training;
  run::RunSnapshot no_facts = all_keep();
  no_facts.facts = nullptr;
  runs.push_back(no_facts);
  no_facts.last_step.reset();
  no_facts.stages.clear();
  runs.push_back(no_facts);
  run::RunSnapshot no_stages = all_keep();
  no_stages.facts = std::make_shared<const run::SessionFacts>();
  no_stages.last_step->stages.clear();
  runs.push_back(no_stages);
  runs.push_back(training_snapshot({.levels = 2, .steps_done = 1, .plan_changes = {}}));
  return runs;
}

/// Sweeps the mouse over the window and presses here and there.
void roam(HeadlessDashboard& window) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  for (int i = 0; i < 40; ++i) {
    window.move_to({size.x * 0.4F * static_cast<float>(i * 7 % 40) / 40,
                    size.y * static_cast<float>(i * 11 % 40) / 40});
    EXPECT_EQ(ImGui::GetCurrentContext()->DebugDrawIdConflictsId, 0U);
    if (i % 9 == 4) {
      ImGui::GetIO().AddMouseButtonEvent(i % 2, true);
      window.frame();
      ImGui::GetIO().AddMouseButtonEvent(i % 2, false);
      window.frame();
    }
    if (i % 5 == 0) window.press(ImGuiKey_RightArrow);
    if (i % 8 == 0) window.press(ImGuiKey_3);
  }
}

TEST(ModelPlanHostile, SnapshotsThatDoNotAgree_AreDrawn) {
  for (const auto& [width, height] :
       {std::pair{320.0F, 200.0F}, std::pair{1280.0F, 720.0F}, std::pair{3840.0F, 2160.0F}}) {
    for (const run::RunSnapshot& run : hostile_snapshots()) {
      HeadlessDashboard window(width, height);
      window.run = shared(run);
      window.settle();
      roam(window);
    }
  }
}

TEST(ModelPlanHostile, NetworksThatFollowEachOther_DoNotMixTheirPlans) {
  HeadlessDashboard window;
  window.run = shared(all_keep());
  window.settle();
  window.click("plan/stage/dec1");
  run::RunSnapshot smaller = training_snapshot({.levels = 3, .steps_done = 2, .plan_changes = {}});
  window.run = shared(std::move(smaller));
  window.frames(3);
  window.click("plan/stage/enc1");
  EXPECT_EQ(asked_plans(window).back(),
            (Plan{Policy::light, Policy::keep, Policy::keep, Policy::keep, Policy::keep}));
}

TEST(ModelPlanHostile, SixtyFourStages_AreBuiltInUnderFourMilliseconds) {
  HeadlessDashboard window;
  window.run = shared(at_odds());
  window.settle();
  double least = 1;
  for (int i = 0; i < 20; ++i) {
    window.frame();
    least = std::min(least, window.last_frame_seconds());
  }
  EXPECT_LT(least, 0.004);
}

TEST(ModelPlanHostile, EveryControl_HasAnIdOfItsOwn) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  const std::vector<ui::ProbedItem> items = window.probe().items();
  EXPECT_GT(items.size(), 40U);
  for (const ui::ProbedItem& item : items) {
    window.move_to({(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2});
    window.frames(2);
    EXPECT_EQ(ImGui::GetCurrentContext()->DebugDrawIdConflictsId, 0U) << item.name;
  }
}

TEST(PlanHead, InANarrowPanel_HasFiguresThatStayApart) {
  HeadlessDashboard window(1280, 720);
  run::RunSnapshot snapshot = training_snapshot({.steps_done = 60, .plan_changes = {}});
  snapshot.last_step->total_seconds = 1.56;
  window.run = shared(std::move(snapshot));
  window.settle();
  // Everything grows but the panel.
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/size/125 %");
  window.settle();
  const ui::ProbedItem& peak = *window.find("plan/figure/peak");
  const ui::ProbedItem& time = *window.find("plan/figure/time");
  const ui::ProbedItem& headroom = *window.find("plan/figure/headroom");
  EXPECT_EQ(time.text, "Step time: 1.56 s");
  EXPECT_LT(peak.max.x, time.min.x);
  EXPECT_LT(time.max.x, headroom.min.x);
  EXPECT_LT(headroom.max.x, window.find("plan/undo")->min.x);
  EXPECT_FLOAT_EQ(peak.max.y, time.max.y) << "values of one size";
}

}  // namespace
}  // namespace headroom::tests
