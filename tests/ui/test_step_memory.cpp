// The view of a step's timeline against one made by hand, and the panel itself.
#include "ui/step_memory.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/run/timeline_file.hpp"
#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/peak_tensors.hpp"
#include "ui/request.hpp"
#include "ui/timeline_chart.hpp"
#include "ui/timeline_view.hpp"

namespace headroom::tests {
namespace {

using plan::Phase;

/// Two stages, head and other over four points; enc1 is repeated within backward.
plan::StepTimeline small_timeline() {
  plan::StepTimeline timeline;
  timeline.step = 7;
  timeline.total_seconds = 0.4;
  timeline.owners = {"enc1", "dec1", "head", "other"};
  timeline.seconds = {0, 0.1, 0.2, 0.3};
  timeline.live_bytes = {0, 0, 0, 10, 30, 0, 0, 10, 30, 60, 0, 10, 0, 20, 0, 10};
  timeline.spans = {{0, 0.05, Phase::forward, 0},     {0.05, 0.1, Phase::forward, 1},
                    {0.1, 0.12, Phase::loss, -1},     {0.12, 0.2, Phase::backward, 1},
                    {0.2, 0.25, Phase::recompute, 0}, {0.25, 0.3, Phase::backward, 0}};
  timeline.peak_point = 2;
  timeline.peak_phase = Phase::backward;
  timeline.peak_owner = 1;
  return timeline;
}

std::optional<ui::TimelineView> view_of(plan::StepTimeline timeline) {
  return ui::view_of(std::make_shared<const plan::StepTimeline>(std::move(timeline)));
}

TEST(TimelineView, StacksOtherBelowTheStages) {
  const auto view = view_of(small_timeline());
  ASSERT_TRUE(view.has_value());
  ASSERT_EQ(view->bands.size(), 3U) << "head never holds a byte";
  EXPECT_EQ(view->bands[0].owner, 3U);
  EXPECT_EQ(view->bands[1].owner, 0U);
  EXPECT_EQ(view->bands[2].owner, 1U);
  EXPECT_EQ(view->bands[1].lower, (std::vector<double>{10, 10, 10, 10}));
  EXPECT_EQ(view->bands[1].upper, (std::vector<double>{10, 40, 40, 10}));
  EXPECT_EQ(view->total, (std::vector<double>{10, 40, 100, 30}));
}

TEST(TimelineView, Phases_AreOneBlockWhileTheyLast) {
  const auto view = view_of(small_timeline());
  ASSERT_TRUE(view.has_value());
  ASSERT_EQ(view->phases.size(), 4U);
  EXPECT_EQ(view->phases[0].phase, Phase::forward);
  EXPECT_NEAR(view->phases[0].end_ms, 120, 1e-9) << "the loss belongs to forward";
  EXPECT_EQ(view->phases[2].phase, Phase::recompute);
  ASSERT_EQ(view->stages.size(), 4U);
  EXPECT_EQ(view->stages[3].owner, 0);
  EXPECT_NEAR(view->stages[3].begin_ms, 200, 1e-9) << "a repeat and its backward are one";
}

TEST(TimelineView, APointOfTheChart_IsInTheBandAroundIt) {
  const auto view = view_of(small_timeline());
  ASSERT_TRUE(view.has_value());
  ASSERT_NE(ui::band_at(*view, 150, 20), nullptr);
  EXPECT_EQ(ui::band_at(*view, 150, 20)->owner, 0U);
  EXPECT_EQ(ui::band_at(*view, 150, 5)->owner, 3U);
  EXPECT_EQ(ui::band_at(*view, 50, 90), nullptr);
  EXPECT_EQ(ui::held_at(*view, 150, 0).own, 30);
  EXPECT_EQ(ui::held_at(*view, 150, 0).total, 40);
}

TEST(TimelineView, OfATimelineThatContradictsItself_IsNone) {
  EXPECT_FALSE(ui::view_of(nullptr).has_value());
  EXPECT_FALSE(view_of({}).has_value());
  plan::StepTimeline shorter = small_timeline();
  shorter.live_bytes.pop_back();
  EXPECT_FALSE(view_of(shorter).has_value());
  plan::StepTimeline beyond = small_timeline();
  beyond.peak_point = 4;
  EXPECT_FALSE(view_of(beyond).has_value());
  plan::StepTimeline backwards = small_timeline();
  std::swap(backwards.seconds[0], backwards.seconds[3]);
  EXPECT_FALSE(view_of(backwards).has_value());
  plan::StepTimeline endless = small_timeline();
  endless.seconds[3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(view_of(endless).has_value());
}

TEST(TimelineView, SpansOfUnknownOwners_HaveNoStage) {
  plan::StepTimeline timeline = small_timeline();
  for (plan::TimelineSpan& span : timeline.spans) span.owner = 99;
  const auto view = view_of(timeline);
  ASSERT_TRUE(view.has_value());
  EXPECT_TRUE(view->stages.empty());
  EXPECT_EQ(view->phases.size(), 4U);
}

TEST(TimelineView, WhatIsNoStage_HasOneName) {
  const plan::StepTimeline timeline = small_timeline();
  EXPECT_EQ(ui::owner_title(timeline, 0), "enc1");
  EXPECT_EQ(ui::owner_title(timeline, 3), "weights and other");
}

TEST(StepMemory, Legend_NamesWhatIsNoStage) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  ASSERT_NE(window.find("step_memory/legend/other"), nullptr);
  EXPECT_EQ(window.find("step_memory/legend/other")->text, "weights and other");
}

TEST(PeakRows, AreTheLargestTensorsWithShapeTypeAndColour) {
  plan::StepTimeline timeline = small_timeline();
  timeline.peak_tensors = {{.bytes = std::int64_t{16} << 20,
                            .role = "output of dec1.conv_b",
                            .shape = {2, 32, 256, 256},
                            .dtype = "fp32",
                            .owner = 1},
                           {.bytes = 1 << 20, .role = "work buffer of dec1.conv_b's backward"}};
  const ImVec4 colours[] = {{0, 0, 0, 1}, {1, 0, 0, 1}};
  const auto rows = ui::peak_rows(timeline, colours);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].label, "output of dec1.conv_b");
  EXPECT_EQ(rows[0].value, "2x32x256x256 fp32, 16.0 MiB");
  EXPECT_EQ(rows[0].colour.x, 1);
  EXPECT_EQ(rows[1].value, "1.00 MiB");
  EXPECT_EQ(rows[1].colour.w, 0) << "nobody's: no swatch";
}

TEST(PeakRows, WhatTheyLeaveOut_IsCounted) {
  plan::StepTimeline timeline = small_timeline();
  EXPECT_EQ(ui::peak_note(timeline), "");
  for (int i = 0; i < 13; ++i) timeline.peak_tensors.push_back({.bytes = 1024, .role = "x"});
  timeline.peak_unnamed_bytes = 640;
  timeline.peak_unnamed_blocks = 1;
  EXPECT_EQ(ui::peak_rows(timeline, {}).size(), 10U);
  EXPECT_EQ(ui::peak_note(timeline), "and 3 smaller, 3.00 KiB; not named: 640 B in 1 block");
}

TEST(StepMemory, PeakUnderTheMouse_TellsItsLargestTensors) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  EXPECT_EQ(window.find("step_memory/peak/largest"), nullptr);
  window.move_to("step_memory/peak");
  window.frames(3);
  ASSERT_NE(window.find("step_memory/peak/largest"), nullptr);
  EXPECT_TRUE(window.find("step_memory/peak/largest")
                  ->text.starts_with("output of dec1.conv_b: 2x64x256x256 bf16, "));
}

TEST(StepMemory, Save_AsksForTheStepThatIsShown) {
  HeadlessDashboard window;
  const run::RunSnapshot run = training_snapshot();
  window.run = shared(run);
  window.settle();
  EXPECT_EQ(window.find("step_memory/save")->text, "Save");
  window.click("step_memory/save");
  const auto asked = window.requests<ui::WriteTimeline>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].timeline, run.timeline);
  EXPECT_EQ(asked[0].run_folder, run.request->run_folder);
  window.shell.written_timeline = run::timeline_file(run.request->run_folder, run.timeline->step);
  window.frame();
  EXPECT_EQ(window.find("step_memory/save")->text, "Saved");
}

TEST(TimelineChart, Budget_IsShownWhenThePeakIsNearIt) {
  EXPECT_TRUE(ui::shows_budget(100, 160));
  EXPECT_TRUE(ui::shows_budget(100, 20));
  EXPECT_FALSE(ui::shows_budget(100, 161));
  EXPECT_FALSE(ui::shows_budget(100, 0));
}

TEST(StepMemory, WithoutATimeline_SaysWhatWillBeThere) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot({.steps_done = 2, .with_timeline = false}));
  window.settle();
  EXPECT_NE(window.find("step_memory/empty"), nullptr);
  EXPECT_EQ(window.find("step_memory/chart"), nullptr);
}

TEST(StepMemory, Frozen_KeepsItsStepUntilItIsReleased) {
  HeadlessDashboard window;
  const run::RunSnapshot first = training_snapshot();
  window.run = shared(first);
  window.settle();
  EXPECT_EQ(window.find("step_memory/freeze")->text, "Freeze");
  window.click("step_memory/freeze");
  window.frame();
  EXPECT_EQ(window.find("step_memory/freeze")->text, "Follow");
  run::RunSnapshot next = first;
  auto timeline = std::make_shared<plan::StepTimeline>(*first.timeline);
  timeline->owners[0] = "renamed";
  next.timeline = timeline;
  window.run = shared(next);
  window.frames(2);
  EXPECT_EQ(window.find("step_memory/legend/renamed"), nullptr);
  window.click("step_memory/freeze");
  window.frame();
  EXPECT_NE(window.find("step_memory/legend/renamed"), nullptr);
}

TEST(StepMemory, Frozen_IsReleasedByANewRun) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  window.click("step_memory/freeze");
  window.run = shared(training_snapshot({.steps_done = 20}));
  window.frames(2);
  EXPECT_EQ(window.find("step_memory/freeze")->text, "Freeze");
}

}  // namespace
}  // namespace headroom::tests
