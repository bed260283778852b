// The panel Training: its figures against the snapshot's values, its controls, and what its charts
// are made of.
#include "ui/training.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/chart_frame.hpp"
#include "ui/chart_units.hpp"
#include "ui/curve.hpp"
#include "ui/dice_chart.hpp"
#include "ui/step_chart.hpp"
#include "ui/step_time_chart.hpp"
#include "ui/training_figures.hpp"

namespace headroom::tests {
namespace {

using plan::Phase;

run::RunSnapshot known_snapshot() {
  run::RunSnapshot snapshot = training_snapshot({.steps_done = 130});
  snapshot.last_step->total_seconds = 0.8;
  snapshot.last_step->seconds[static_cast<std::size_t>(Phase::data)] = 0.02;
  snapshot.last_step->learning_rate = 2.4e-4;
  snapshot.request->settings.step.batch = 3;
  snapshot.request->settings.step.accumulate = 4;
  snapshot.validations[0].mean_dice = 0.5;
  snapshot.validations[1].mean_dice = 0.496;
  return snapshot;
}

std::string text_of(const HeadlessDashboard& window, std::string_view name) {
  const ui::ProbedItem* const item = window.find(name);
  return item == nullptr ? "not there" : item->text;
}

TEST(TrainingFigures, AreThoseOfTheLastStepAndValidation) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  EXPECT_EQ(text_of(window, "training/figure/step"), "800 ms");
  EXPECT_EQ(text_of(window, "training/figure/images"), "15.0");
  EXPECT_EQ(text_of(window, "training/figure/data"), "2.5 %");
  EXPECT_EQ(text_of(window, "training/figure/dice"), "0.496");
  EXPECT_EQ(text_of(window, "training/learning_rate"), "2.4e-4");
}

TEST(TrainingFigures, BeforeTheFirstStep_AreDashes) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot;
  snapshot.state = run::RunState::preparing;
  window.run = shared(std::move(snapshot));
  window.settle();
  for (const char* name : {"training/figure/loss", "training/figure/step", "training/figure/images",
                           "training/figure/data", "training/figure/dice"}) {
    EXPECT_EQ(text_of(window, name), "\xE2\x80\x93") << name;
  }
}

TEST(LearningRate, Typed_IsAskedFor) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  window.click("training/learning_rate");
  window.frames(3);
  EXPECT_EQ(text_of(window, "training/learning_rate/field"), "0.001");
  window.press(ImGuiKey_A, ImGuiMod_Ctrl);
  window.type("5e-4");
  window.frame();
  window.click("training/learning_rate/set");
  const auto asked = window.commands<run::SetLearningRate>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_DOUBLE_EQ(asked[0].peak_rate, 5e-4);
  window.frames(3);
  EXPECT_EQ(window.find("training/learning_rate/set"), nullptr) << "the popup closes";
}

TEST(LearningRate, EnterKey_SetsItToo) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  window.click("training/learning_rate");
  window.frames(3);
  window.press(ImGuiKey_A, ImGuiMod_Ctrl);
  window.type("0.02");
  window.press(ImGuiKey_Enter);
  const auto asked = window.commands<run::SetLearningRate>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_DOUBLE_EQ(asked[0].peak_rate, 0.02);
}

TEST(LearningRate, EscapeKey_ClosesItAtOnce) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  window.click("training/learning_rate");
  window.frames(3);
  window.press(ImGuiKey_Escape);
  window.frames(2);
  EXPECT_EQ(window.find("training/learning_rate/field"), nullptr);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST(LearningRate, ThatIsNone_IsRefusedWithItsReason) {
  EXPECT_EQ(ui::rate_problem("0.001"), "");
  for (const char* typed : {"", "0", "-1", "abc", "1e9", "nan", "1e-3x"}) {
    EXPECT_NE(ui::rate_problem(typed), "") << typed;
  }
}

TEST(LearningRate, InAStateThatRefuses_TellsWhy) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = known_snapshot();
  snapshot.state = run::RunState::finished;
  window.run = shared(std::move(snapshot));
  window.settle();
  window.click("training/learning_rate");
  window.frames(3);
  ASSERT_NE(window.find("training/learning_rate/set"), nullptr);
  EXPECT_FALSE(window.find("training/learning_rate/set")->enabled);
  EXPECT_EQ(text_of(window, "training/learning_rate/set"), "The run is over.");
  window.press(ImGuiKey_Enter);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST(LossChart, ItsScale_IsSwitchedByAClick) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  ASSERT_TRUE(window.dashboard().preferences().loss_is_log);
  window.click("training/loss/scale");
  EXPECT_FALSE(window.dashboard().preferences().loss_is_log);
  window.frame();
  EXPECT_EQ(text_of(window, "training/loss/scale"), "linear");
}

TEST(Smoothing, Slider_ChangesThePreference) {
  HeadlessDashboard window;
  window.run = shared(known_snapshot());
  window.settle();
  window.click("training/smoothing");
  EXPECT_NEAR(window.dashboard().preferences().smoothing, 0.495, 0.03);
}

TEST(TrainingCharts, OfOneColumn_ShareTheirLeftEdge) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  EXPECT_FLOAT_EQ(window.find("training/loss")->min.x, window.find("training/step_time")->min.x);
  EXPECT_FLOAT_EQ(window.find("training/dice")->min.x, window.find("training/peak_memory")->min.x);
}

TEST(StepAxis, EndsWithTheRun) {
  const run::RunSnapshot snapshot = training_snapshot({.steps = 2000, .steps_done = 130});
  EXPECT_EQ(ui::step_axis(snapshot).low, 0);
  EXPECT_EQ(ui::step_axis(snapshot).high, 2000);
  EXPECT_GT(ui::step_axis(run::RunSnapshot{}).high, 0);
  EXPECT_TRUE(ui::step_axis(run::RunSnapshot{}).ticks.empty()) << "its length is not known";
  run::RunSnapshot preparing;
  preparing.request = snapshot.request;
  EXPECT_EQ(ui::step_axis(preparing).high, 2000) << "as the settings tell";
}

TEST(StepAxis, LeavesRoomForLabelsBesideTheLatestStep) {
  constexpr double kLabels = 0.2;
  const run::RunSnapshot early = training_snapshot({.steps = 2000, .steps_done = 1500});
  EXPECT_EQ(ui::step_axis(early, kLabels).high, 2000);
  run::RunSnapshot late = early;
  late.steps_done = 2000;
  const ui::ChartAxis axis = ui::step_axis(late, kLabels);
  EXPECT_DOUBLE_EQ(axis.high, 2500);
  EXPECT_EQ(axis.ticks.back().value, 2000) << "no step is named that will not come";
}

/// How much of the latest frame was drawn in a colour.
int vertices_of(const ImVec4& colour) {
  const ImU32 wanted = ui::packed(colour);
  int count = 0;
  for (const ImDrawList* const list : ImGui::GetDrawData()->CmdLists) {
    for (const ImDrawVert& vertex : list->VtxBuffer) count += vertex.col == wanted ? 1 : 0;
  }
  return count;
}

TEST(PlanMarks, AfterOutOfMemory_AreRed) {
  const ImVec4& red = ui::theme_of(ui::ThemeKind::dark).bad;
  HeadlessDashboard window;
  run::RunSnapshot snapshot = training_snapshot();
  window.run = shared(snapshot);
  window.settle();
  EXPECT_EQ(vertices_of(red), 0);
  snapshot.plan_marks[1].cause = run::PlanCause::out_of_memory;
  window.run = shared(snapshot);
  window.settle();
  EXPECT_GT(vertices_of(red), 0);
}

TEST(ChartUnit, OfNothing_IsThatOfMemory) {
  EXPECT_STREQ(ui::byte_unit(0).name, "MiB");
  EXPECT_STREQ(ui::byte_unit(2048).name, "KiB");
}

TEST(LossChart, OfTwoMillionSteps_IsDrawnWithItsExtremes) {
  constexpr std::int64_t kSteps = 2'000'000;
  run::Series series;
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    double loss = 0.5;
    if (step == 1) loss = 3;
    if (step == 777'777) loss = 40;
    if (step == 1'234'567) loss = 1e-3;
    if (step == kSteps) loss = 0.25;
    series.add(step, loss);
  }
  EXPECT_EQ(series.buckets().front().first_step, 1);
  EXPECT_EQ(series.buckets().front().first, 3);
  EXPECT_EQ(series.buckets().back().last_step, kSteps);
  EXPECT_EQ(series.buckets().back().last, 0.25);
  double low = 100, high = 0;
  for (const ui::CurvePoint& point : ui::decimated(series.buckets(), 0, kSteps, 300)) {
    low = std::min(low, point.low);
    high = std::max(high, point.high);
  }
  EXPECT_EQ(low, 1e-3);
  EXPECT_EQ(high, 40);
  HeadlessDashboard window;
  run::RunSnapshot snapshot = known_snapshot();
  run::SessionFacts facts = *snapshot.facts;
  facts.steps = kSteps;
  snapshot.facts = std::make_shared<const run::SessionFacts>(std::move(facts));
  snapshot.steps_done = kSteps;
  snapshot.history.loss = std::move(series);
  window.run = shared(std::move(snapshot));
  window.settle();
  EXPECT_NE(window.find("training/loss"), nullptr);
}

run::StepReport report_of(std::int64_t step, double unit) {
  run::StepReport report;
  report.step = step;
  const auto set = [&](Phase phase, double seconds) {
    report.seconds[static_cast<std::size_t>(phase)] = seconds;
    report.total_seconds += seconds;
  };
  set(Phase::forward, 4 * unit);
  set(Phase::loss, 1 * unit);
  set(Phase::backward, 8 * unit);
  set(Phase::recompute, 3 * unit);
  set(Phase::optimizer, 2 * unit);
  set(Phase::data, 0.5 * unit);
  return report;
}

TEST(StackedSteps, ArePhasesUponEachOther) {
  run::StepHistory history;
  for (std::int64_t step = 1; step <= 10; ++step) history.add(report_of(step, 1));
  const ui::StackedSteps stacked = ui::stacked_steps(history, 0, 10, 100);
  ASSERT_EQ(stacked.steps.size(), 10U);
  const std::vector<double> expected = {5, 13, 16, 18, 18.5};
  for (std::size_t part = 0; part < ui::kStepParts; ++part) {
    EXPECT_DOUBLE_EQ(stacked.upper[part][4], expected[part]);
  }
}

TEST(StackedSteps, OfMoreStepsThanColumns_AreTheirMeans) {
  run::StepHistory history;
  for (std::int64_t step = 1; step <= 4000; ++step) history.add(report_of(step, step % 2 * 2.0));
  const ui::StackedSteps stacked = ui::stacked_steps(history, 0, 4000, 20);
  ASSERT_LE(stacked.steps.size(), 21U);
  EXPECT_NEAR(stacked.upper[0][10], 5, 0.1);
  EXPECT_NEAR(stacked.upper[4][10], 18.5, 0.4);
}

TEST(StackedSteps, WithATimeThatIsNone_LeaveThatStepOut) {
  run::StepHistory history;
  history.add(report_of(1, 1));
  history.add(report_of(2, std::numeric_limits<double>::quiet_NaN()));
  history.add(report_of(3, 1));
  const ui::StackedSteps stacked = ui::stacked_steps(history, 0, 3, 300);
  ASSERT_EQ(stacked.steps.size(), 2U);
  EXPECT_DOUBLE_EQ(stacked.upper[0][1], 5);
}

TEST(DiceChart, OfManyClasses_HasTheWorstAndTheBest) {
  const std::vector<double> dice = {0.9, 0.1, 0.5, 0.2, 0.95, 0.6, 0.3, 0.7};
  EXPECT_EQ(ui::charted_classes(dice), (std::vector<std::size_t>{0, 1, 3, 4, 6}));
  EXPECT_EQ(ui::charted_classes(std::vector<double>{0.5, 0.6}), (std::vector<std::size_t>{0, 1}));
}

TEST(EndLabels, ThatWouldTouch_AreMovedApart) {
  std::vector<float> positions = {10, 12, 13, 60};
  ui::keep_apart(positions, 14, 0, 100);
  for (std::size_t i = 1; i < positions.size(); ++i) {
    EXPECT_GE(positions[i] - positions[i - 1], 14);
  }
  EXPECT_EQ(positions.back(), 60);
  std::vector<float> low = {95, 96, 99};
  ui::keep_apart(low, 14, 0, 100);
  EXPECT_EQ(low.back(), 100);
  EXPECT_EQ(low.front(), 72);
}

TEST(TrainingCharts, WithValuesThatAreNone_AreDrawn) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = known_snapshot();
  run::StepReport report = *snapshot.last_step;
  report.loss = std::numeric_limits<double>::quiet_NaN();
  report.step = 131;
  snapshot.history.add(report);
  report.loss = std::numeric_limits<double>::infinity();
  report.step = 132;
  snapshot.history.add(report);
  window.run = shared(std::move(snapshot));
  window.settle();
  EXPECT_NE(window.find("training/loss"), nullptr);
}

}  // namespace
}  // namespace headroom::tests
