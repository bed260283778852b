// The chart Plans driven by the mouse, and what stands there before a calibration.
#include "ui/plan_chart.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

using plan::Policy;

struct PlanChart : ::testing::Test {
  /// High enough for the whole of Model & plan.
  HeadlessDashboard window{1920, 1400};
  run::RunSnapshot run = training_snapshot();
};

TEST_F(PlanChart, PointOfTheCurve_PressedAsksForItsPlanAndCanBeUndone) {
  window.show(run, sample_outlook({}, run));
  ASSERT_NE(window.find("plans/point/0"), nullptr);
  window.click("plans/point/0");
  const auto asked = window.commands<run::SetPlan>();
  ASSERT_EQ(asked.size(), 1U);
  // The smallest plan of these costs is all Full.
  EXPECT_EQ(asked[0].plan, plan::Plan(9, Policy::full));
  window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ASSERT_EQ(window.commands<run::SetPlan>().size(), 2U);
  EXPECT_EQ(window.commands<run::SetPlan>()[1].plan, run.requested_plan);
}

TEST_F(PlanChart, PressedBesideThePoints_AsksForNothing) {
  window.show(run, sample_outlook({}, run));
  const ui::ProbedItem chart = *window.find("plans/chart");
  window.move_to(ImVec2{chart.max.x - 2, chart.min.y + 2});
  window.frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  window.frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  window.frame();
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_F(PlanChart, BeforeTheStart_PointIsASetting) {
  run = {.state = run::RunState::ready, .request = run.request};
  window.show(run, sample_outlook({}, run));
  window.click("plans/point/0");
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked[0].request.plan_is_given);
  EXPECT_EQ(plan::parse_plan(asked[0].request.settings.step.plan, plan::unet_stage_names(5)),
            plan::Plan(9, Policy::full));
}

TEST_F(PlanChart, OfARunThatIsOver_SaysWhyNothingCanBeAsked) {
  run.state = run::RunState::finished;
  window.show(run, sample_outlook({}, run));
  EXPECT_FALSE(window.find("plans/curve")->enabled);
  window.click("plans/point/0");
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_F(PlanChart, LineOfTheBudget_DraggedChoosesThePlanThatFits) {
  run = training_snapshot({.budget_bytes = std::int64_t{3} << 30});
  window.show(run, sample_outlook({.budget_bytes = std::int64_t{3} << 30}, run));
  ASSERT_NE(window.find("plans/budget"), nullptr);
  const ImVec2 from = window.middle_of("plans/budget");
  window.move_to(from);
  window.frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  window.frame();
  for (int piece = 1; piece <= 4; ++piece)
    window.move_to(ImVec2{from.x - 40 * static_cast<float>(piece), from.y});
  EXPECT_TRUE(window.asked.commands.empty()) << "while it is held";
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  window.frames(3);
  const auto asked = window.commands<run::SetPlan>();
  ASSERT_EQ(asked.size(), 1U);
  const auto predicted = plan::predict(window.shell.outlook.plans->curve->sized, asked[0].plan);
  EXPECT_LT(predicted->peak_total_bytes, std::int64_t{2600} << 20);
}

TEST_F(PlanChart, WithoutCosts_OffersTheCalibration) {
  run = {.state = run::RunState::ready, .request = run.request};
  window.show(run, {.costs = ui::CostsState::missing});
  EXPECT_EQ(window.find("plans/chart"), nullptr);
  ASSERT_NE(window.find("plans/calibrate"), nullptr);
  window.click("plans/calibrate");
  const auto asked = window.commands<run::Calibrate>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].settings.model.levels, 5);
}

TEST_F(PlanChart, WithoutCosts_DuringARunSaysWhyNot) {
  window.show(run, {.costs = ui::CostsState::missing});
  const ui::ProbedItem* const calibrate = window.find("plans/calibrate");
  ASSERT_NE(calibrate, nullptr);
  EXPECT_FALSE(calibrate->enabled);
  EXPECT_NE(calibrate->text.find("A run is under way"), std::string::npos);
}

TEST_F(PlanChart, WhileCalibrating_ShowsProgressAndCanBeCancelled) {
  run = {.state = run::RunState::ready, .request = run.request};
  run.calibration = run::CalibrationStatus{.steps = 23};
  window.show(run, {.costs = ui::CostsState::missing});
  EXPECT_NE(window.find("plans/state")->text.find("23 of them"), std::string::npos);
  window.click("plans/cancel");
  EXPECT_EQ(window.commands<run::CancelMeasurement>().size(), 1U);
}

TEST_F(PlanChart, CalibrationThatFailed_SaysWhyAndWhatToDo) {
  run = {.state = run::RunState::ready, .request = run.request};
  run.calibration = run::CalibrationStatus{.state = run::CalibrationStatus::State::failed,
                                           .problem = {.attempted = "calibrating",
                                                       .subject = "the machine has no memory left",
                                                       .remedy = "Close other programs"}};
  window.show(run, {.costs = ui::CostsState::missing});
  const std::string& words = window.find("plans/state")->text;
  EXPECT_NE(words.find("no memory left"), std::string::npos);
  EXPECT_NE(words.find("Close other programs"), std::string::npos);
  EXPECT_TRUE(window.find("plans/calibrate")->enabled);
}

TEST(PlanWords, NameWhatIsNotKept) {
  const std::vector<std::string> names = {"enc1", "enc2", "dec1"};
  EXPECT_EQ(ui::plan_words({Policy::keep, Policy::keep, Policy::keep}, names), "all Keep");
  EXPECT_EQ(ui::plan_words({Policy::full, Policy::keep, Policy::light}, names),
            "enc1 Full, dec1 Light");
  EXPECT_EQ(ui::plan_words(plan::Plan(9, Policy::full), plan::unet_stage_names(5)),
            "enc1 Full, enc2 Full, enc3 Full, enc4 Full, enc5 Full, dec4 Full and 3 more");
}

}  // namespace
}  // namespace headroom::tests
