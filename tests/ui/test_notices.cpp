// What must not be missed: failures, ends, problems, work in the background, closing.
#include "ui/notices.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <chrono>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

run::RunSnapshot failed(std::int64_t saved_step) {
  run::RunSnapshot run = training_snapshot({.steps_done = 100, .plan_changes = {}});
  run.state = run::RunState::failed;
  run.error = run::Failed{.kind = base::ErrorKind::io,
                          .error = {.attempted = "saving the state",
                                    .subject = "runs/fundus: no space left",
                                    .remedy = "Free some space"},
                          .step = 100,
                          .saved_step = saved_step};
  return run;
}

TEST(Notices, FailedRun_SaysWhatAndWhatToDo) {
  HeadlessDashboard window;
  window.run = shared(failed(90));
  window.settle();
  EXPECT_EQ(window.find("notice/failure")->text,
            "Saving the state: runs/fundus: no space left\nFree some space");
  window.click("notice/continue");
  ASSERT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ContinueRun>()[0].run_folder, "runs/fundus_native");
  window.click("notice/open");
  window.frames(3);
  EXPECT_NE(window.find("folder/cancel"), nullptr);
}

/// Memory ran out at step 60 of 100: Light everywhere since.
run::RunSnapshot relieved() {
  run::RunSnapshot run = training_snapshot({.steps_done = 100, .plan_changes = {}});
  const std::size_t stages = run.facts->stages.size();
  return run::reduce(std::move(run),
                     run::MemoryRelieved{{.step = 60,
                                          .refused_bytes = std::int64_t{9} << 30,
                                          .budget_bytes = std::int64_t{8} << 30,
                                          .before = {plan::Plan(stages, plan::Policy::keep), 2},
                                          .after = {plan::Plan(stages, plan::Policy::light), 2}}});
}

TEST(Notices, MemoryThatRanOut_IsToldUntilClosedAndAgainWhenItRunsOutAgain) {
  HeadlessDashboard window;
  run::RunSnapshot run = relieved();
  window.run = shared(run);
  window.settle();
  ASSERT_NE(window.find("notice/memory"), nullptr);
  EXPECT_EQ(
      window.find("notice/memory")->text,
      "Out of memory at step 60 (at least 9.00 GiB needed, budget 8.00 GiB): all stages Light, "
      "the step is repeated");
  window.click("notice/memory/close");
  window.frames(3);
  EXPECT_EQ(window.find("notice/memory"), nullptr);
  run.memory_reliefs.push_back(run.memory_reliefs.back());
  window.run = shared(std::move(run));
  window.frames(3);
  EXPECT_NE(window.find("notice/memory"), nullptr);
}

TEST(Notices, MemoryThatRanOutInASave_IsForTheLogAlone) {
  HeadlessDashboard window;
  run::RunSnapshot run = relieved();
  run.memory_reliefs[0].work = run::RepeatedWork::save;
  window.run = shared(std::move(run));
  window.settle();
  EXPECT_EQ(window.find("notice/memory"), nullptr);
  EXPECT_EQ(window.find("mark/out_of_memory/60"), nullptr);
}

TEST(Charts, MemoryThatRanOut_IsMarkedAtItsStep) {
  HeadlessDashboard window;
  window.run = shared(relieved());
  window.settle();
  const ui::ProbedItem* const mark = window.find("mark/out_of_memory/60");
  ASSERT_NE(mark, nullptr);
  EXPECT_EQ(mark->text, "all stages Light");
  window.move_to("mark/out_of_memory/60");
  window.frames(3);
}

TEST(Notices, FailedRunWithoutAState_CannotBeContinued) {
  HeadlessDashboard window;
  window.run = shared(failed(0));
  window.settle();
  EXPECT_EQ(window.find("notice/continue"), nullptr);
  window.click("notice/close");
  window.frames(2);
  EXPECT_EQ(window.find("notice/failure"), nullptr);
}

TEST(Notices, FailedRun_IsSetUpAnewWithItsSettings) {
  HeadlessDashboard window;
  run::RunSnapshot run = failed(0);
  run.request->settings.step.tile_width = 4096;
  window.run = shared(std::move(run));
  window.settle();
  window.click("notice/change");
  ASSERT_EQ(window.requests<ui::NewRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::NewRun>()[0].like.settings.step.tile_width, 4096);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST(Notices, NextFailure_IsShownAgain) {
  HeadlessDashboard window;
  window.run = shared(failed(0));
  window.settle();
  window.click("notice/close");
  window.run = shared(training_snapshot({.steps_done = 3, .plan_changes = {}}));
  window.frames(2);
  window.run = shared(failed(0));
  window.frames(3);
  EXPECT_NE(window.find("notice/failure"), nullptr);
}

TEST(Notices, Failure_StaysOverPanelsThatAreClicked) {
  HeadlessDashboard window;
  window.run = shared(failed(90));
  window.settle();
  window.click("plan/row/enc1");
  window.click("notice/continue");
  EXPECT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
}

TEST(Notices, FinishedRun_IsToldQuietly) {
  HeadlessDashboard window;
  run::RunSnapshot run = training_snapshot({.steps = 120, .steps_done = 120, .plan_changes = {}});
  run.state = run::RunState::finished;
  run.outcome = run::Outcome::completed;
  run.validations.back().mean_dice = 0.832;
  window.run = shared(std::move(run));
  window.settle();
  EXPECT_EQ(window.find("notice/finished")->text,
            "Finished: mean Dice 0.832, run in runs/fundus_native");
  EXPECT_EQ(window.find("notice/finished/continue"), nullptr);
  window.click("notice/finished/new");
  ASSERT_EQ(window.requests<ui::NewRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::NewRun>()[0].like.data_folder, "data/fundus");
  EXPECT_EQ(window.requests<ui::NewRun>()[0].like.settings.step.batch, 2);
  window.click("notice/finished/close");
  window.frames(2);
  EXPECT_EQ(window.find("notice/finished"), nullptr);
}

TEST(Notices, Problem_IsClosedOnceAndComesBackWhenItIsANewOne) {
  HeadlessDashboard window;
  window.shell.problem = "That folder has no images";
  window.shell.problem_number = 1;
  window.settle();
  window.click("notice/problem/close");
  window.frames(2);
  EXPECT_EQ(window.find("notice/problem"), nullptr);
  window.shell.problem_number = 2;
  window.frames(2);
  EXPECT_EQ(window.find("notice/problem")->text, "That folder has no images");
}

TEST(Notices, LongProblem_IsReadToItsEndAndSaysWhatToDo) {
  HeadlessDashboard window(1280, 720);
  window.shell.problem = "scanning the data folder: '/data/retina' holds images, but no masks";
  window.shell.problem_number = 1;
  window.settle();
  const ui::ProbedItem before = *window.find("notice/problem");
  window.shell.problem_remedy =
      "put images into a folder 'images' and masks of the same names into 'masks' beside it, or "
      "name the masks after their images, or try a smaller --tile";
  window.frames(3);
  const ui::ProbedItem& shown = *window.find("notice/problem");
  EXPECT_EQ(
      shown.text,
      "Scanning the data folder: '/data/retina' holds images, but no masks\nPut images into a "
      "folder 'images' and masks of the same names into 'masks' beside it, or name the masks "
      "after their images, or try a smaller tile");
  EXPECT_GT(shown.max.y - shown.min.y, before.max.y - before.min.y + 20) << "two more lines";
  EXPECT_LE(shown.max.y, 720);
}

TEST(Notices, EndOfARun_CoversNoPanel) {
  HeadlessDashboard window(1280, 720);
  run::RunSnapshot run = training_snapshot({.steps = 120, .steps_done = 120, .plan_changes = {}});
  run.state = run::RunState::finished;
  run.outcome = run::Outcome::completed;
  window.run = shared(std::move(run));
  window.settle();
  const auto bottom_of = [](const char* id) {
    const ImGuiWindow* const panel = ImGui::FindWindowByName(id);
    return panel->Pos.y + panel->Size.y;
  };
  const float top = window.find("notice/finished")->min.y;
  EXPECT_LT(bottom_of("###model_plan"), top);
  EXPECT_LT(bottom_of("###step_memory"), top);
  window.click("notice/finished/close");
  window.frames(3);
  EXPECT_GT(bottom_of("###model_plan"), top) << "its room is the panels' again";
  EXPECT_GT(bottom_of("###step_memory"), top);
}

TEST(Notices, WorkInTheBackground_IsNamed) {
  HeadlessDashboard window;
  window.shell.busy = ui::BusyWork{.text = "Reading aerial", .share = 0.4};
  window.settle();
  EXPECT_EQ(window.find("notice/busy")->text, "Reading aerial");
  window.shell.busy->share = -1;
  window.frames(2);
  EXPECT_TRUE(window.dashboard().is_animating());
}

TEST(Notices, WorkThatTakesLong_SaysForHowLong) {
  HeadlessDashboard window;
  // Frames are a sixtieth of a second apart, from 0 on.
  constexpr std::chrono::steady_clock::time_point kSince{std::chrono::milliseconds(500)};
  window.shell.busy = ui::BusyWork{.text = "Reading aerial", .since = kSince};
  window.frames(2 * 60);
  EXPECT_EQ(window.find("notice/busy")->text, "Reading aerial");
  window.frames(45 + 60);
  EXPECT_EQ(window.find("notice/busy")->text, "Reading aerial, 3 s");
}

TEST(Notices, WorkInTheBackground_IsGivenUpWhereItCanBe) {
  HeadlessDashboard window;
  window.shell.busy = ui::BusyWork{.text = "Reading aerial"};
  window.settle();
  EXPECT_EQ(window.find("notice/busy/cancel"), nullptr);
  window.shell.busy->can_cancel = true;
  window.settle();
  window.click("notice/busy/cancel");
  EXPECT_EQ(window.requests<ui::CancelWork>().size(), 1U);
}

TEST(Notices, WhileClosing_NothingCanBePressed) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot({.steps_done = 100, .plan_changes = {}}));
  window.settle();
  window.shell.is_closing = true;
  window.frames(3);
  EXPECT_EQ(window.find("notice/closing")->text, "Saving the run before closing");
  window.click("plan/stage/enc1");
  window.click("top/primary");
  window.press(ImGuiKey_3);
  window.press(ImGuiKey_Space);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST(Notices, SmallestWindow_HasThemInside) {
  HeadlessDashboard window(320, 200);
  window.run = shared(failed(90));
  window.shell.problem = std::string(900, 'p');
  window.shell.problem_number = 1;
  window.shell.busy = ui::BusyWork{.text = std::string(900, 'b'), .can_cancel = true};
  window.settle();
  for (const char* const name : {"notice/problem", "notice/busy", "notice/busy/cancel",
                                 "notice/continue", "notice/change", "notice/open"}) {
    EXPECT_GE(window.find(name)->min.x, 0);
    EXPECT_LE(window.find(name)->max.x, 320);
  }
}

}  // namespace
}  // namespace headroom::tests
