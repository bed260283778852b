// The handle at the budget, dragged and moved by keys.
#include "ui/budget_bar.hpp"

#include <gtest/gtest.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

struct BudgetBar : ::testing::Test {
  HeadlessDashboard window{1920, 1080};
  run::RunSnapshot run = training_snapshot({.budget_bytes = 3 * kGiB});
  ui::Outlook outlook() const { return sample_outlook({.budget_bytes = 3 * kGiB}, run); }
  void make_ready() {
    run = {.state = run::RunState::ready, .request = run.request};
    run.request->settings.step.budget_bytes = 3 * kGiB;
  }
  /// Drags the handle by pixels, negative to the left.
  void drag(float pixels) {
    const ImVec2 from = window.middle_of("plan/budget");
    window.move_to(from);
    window.frame();
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    window.frame();
    for (int piece = 1; piece <= 4; ++piece)
      window.move_to(ImVec2{from.x + pixels * static_cast<float>(piece) / 4, from.y});
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    window.frames(2);
  }
};

TEST_F(BudgetBar, DraggedBeforeTheStart_SetsBudgetAndThePlanThatFitsIt) {
  make_ready();
  window.show(run, outlook());
  drag(-150);
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U) << "once, where it is let go";
  const base::StepSettings& step = asked[0].request.settings.step;
  EXPECT_LT(step.budget_bytes, 3 * kGiB);
  EXPECT_EQ(step.budget_bytes % (64 * kMiB), 0);
  const plan::Plan plan = plan::parse_plan(step.plan, plan::unet_stage_names(5));
  const auto predicted = plan::predict(window.shell.outlook.plans->curve->sized, plan);
  ASSERT_TRUE(predicted);
  EXPECT_LE(predicted->peak_total_bytes, step.budget_bytes);
  // None that fits is faster, by the search over all plans.
  const auto& curve = window.shell.outlook.plans->curve->trade_off;
  for (const plan::PlanChoice& point : curve.points) {
    if (point.predicted.peak_total_bytes * 1000 > step.budget_bytes * 995) continue;
    EXPECT_GE(point.predicted.seconds_per_step, predicted->seconds_per_step);
  }
}

TEST_F(BudgetBar, DraggedInARun_ChoosesAPlanAndLeavesTheBudget) {
  window.show(run, outlook());
  drag(-150);
  ASSERT_EQ(window.asked.commands.size(), 1U);
  ASSERT_EQ(window.commands<run::SetPlan>().size(), 1U);
  window.click("plan/undo");
  ASSERT_EQ(window.commands<run::SetPlan>().size(), 2U);
  EXPECT_EQ(window.commands<run::SetPlan>()[1].plan, run.requested_plan);
}

TEST_F(BudgetBar, InARun_IsNotDraggedBeyondTheBudget) {
  window.show(run, outlook());
  drag(600);
  for (const run::SetPlan& asked : window.commands<run::SetPlan>()) {
    const auto predicted = plan::predict(window.shell.outlook.plans->curve->sized, asked.plan);
    EXPECT_LE(predicted->peak_total_bytes, 3 * kGiB);
  }
}

TEST_F(BudgetBar, BelowWhatAnyPlanNeeds_AsksForNothing) {
  window.show(run, outlook());
  drag(-2000);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_F(BudgetBar, WithoutCosts_SetsTheBudgetAloneAndSaysInARunWhyNot) {
  window.show(run, {.costs = ui::CostsState::missing});
  EXPECT_FALSE(window.find("plan/budget")->enabled);
  make_ready();
  window.show(run, {.costs = ui::CostsState::missing});
  drag(-150);
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_LT(asked[0].request.settings.step.budget_bytes, 3 * kGiB);
  EXPECT_EQ(asked[0].request.settings.step.plan, run.request->settings.step.plan);
}

TEST_F(BudgetBar, MinusKey_MovesItByOneStep) {
  make_ready();
  window.show(run, outlook());
  window.click("plan/row/enc1");
  window.asked = {};
  window.press(ImGuiKey_Minus);
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U);
  const double end =
      1.06 * static_cast<double>(std::max<std::int64_t>(
                 3 * kGiB, window.shell.outlook.plans->curve->all_keep->peak_total_bytes));
  EXPECT_EQ(asked[0].request.settings.step.budget_bytes, 3 * kGiB - ui::budget_step(end));
}

TEST(BudgetStep, IsAQuarterOfAGibibyteWhereThereIsRoom) {
  EXPECT_EQ(ui::budget_step(static_cast<double>(8 * kGiB)), kGiB / 4);
  EXPECT_EQ(ui::budget_step(static_cast<double>(2 * kGiB)), 64 * kMiB);
  EXPECT_EQ(ui::budget_step(static_cast<double>(kGiB / 2)), 16 * kMiB);
}

}  // namespace
}  // namespace headroom::tests
