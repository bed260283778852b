// The screen without a run, and the dialog that chooses a folder.
#include "ui/first_start.hpp"

#include <gtest/gtest.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

ui::RecentRun recent_run() {
  return {.folder = "runs/fundus",
          .name = "fundus",
          .steps_done = 17,
          .steps = 200,
          .saved = "today at 14:52"};
}

TEST(FirstStart, Cards_AskForWhatTheySay) {
  HeadlessDashboard window;
  window.shell.recent_runs = {recent_run(), {.folder = "runs/older"}};
  window.settle();
  window.click("start/sample");
  EXPECT_EQ(window.requests<ui::TrySample>().size(), 1U);
  window.click("start/continue");
  ASSERT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ContinueRun>()[0].run_folder, "runs/fundus");
}

TEST(FirstStart, Shortcuts_DoTheSame) {
  HeadlessDashboard window;
  window.shell.recent_runs = {recent_run()};
  window.settle();
  window.press(ImGuiKey_T, ImGuiMod_Ctrl);
  EXPECT_EQ(window.requests<ui::TrySample>().size(), 1U);
  window.press(ImGuiKey_R, ImGuiMod_Ctrl);
  EXPECT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
  window.press(ImGuiKey_O, ImGuiMod_Ctrl);
  window.frames(3);
  EXPECT_NE(window.find("folder/open"), nullptr);
  window.press(ImGuiKey_T, ImGuiMod_Ctrl);
  EXPECT_EQ(window.requests<ui::TrySample>().size(), 1U) << "the dialog is modal";
}

TEST(FirstStart, WithoutARunToContinue_TellsWhy) {
  HeadlessDashboard window;
  window.settle();
  EXPECT_FALSE(window.find("start/continue")->enabled);
  EXPECT_EQ(window.find("start/continue")->text, "There is no run to continue yet.");
  window.press(ImGuiKey_R, ImGuiMod_Ctrl);
  window.click("start/continue");
  EXPECT_TRUE(window.asked.requests.empty());
}

TEST(FirstStart, RunWithNothingLeftToDo_IsNotContinued) {
  HeadlessDashboard window;
  ui::RecentRun done = recent_run();
  done.folder = "runs/done";
  done.steps_done = done.steps;
  window.shell.recent_runs = {done};
  window.settle();
  EXPECT_EQ(window.find("start/continue")->text, "There is no run to continue yet.");
  window.shell.recent_runs = {done, recent_run()};
  window.frames(2);
  window.click("start/continue");
  ASSERT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ContinueRun>()[0].run_folder, "runs/fundus");
}

TEST(FirstStart, WhileSomethingIsOpened_NothingElseCanBe) {
  HeadlessDashboard window;
  window.shell.busy = ui::BusyWork{.text = "Making the sample"};
  window.settle();
  EXPECT_EQ(window.find("start/sample")->text, "Wait for this: Making the sample.");
  window.press(ImGuiKey_T, ImGuiMod_Ctrl);
  EXPECT_TRUE(window.asked.requests.empty());
}

TEST(FirstStart, SelfTest_IsToldInEveryState) {
  HeadlessDashboard window;
  window.settle();
  EXPECT_TRUE(window.find("start/self_test")->text.starts_with("Self-test is running"));
  run::RunSnapshot run;
  run.self_test = run::SelfTestReport{.plans = 32, .equal = 32};
  window.run = std::make_shared<const run::RunSnapshot>(run);
  window.frame();
  EXPECT_EQ(window.find("start/self_test")->text, "Self-test passed: 32 plans give equal results");
  run.self_test = run::SelfTestReport{.plans = 32, .equal = 31, .problem = "enc2 differs"};
  window.run = std::make_shared<const run::RunSnapshot>(run);
  window.frame();
  EXPECT_EQ(window.find("start/self_test")->text, "Self-test failed: enc2 differs");
}

TEST(FirstStart, At1280x720_FitsWithoutScrolling) {
  HeadlessDashboard window(1280, 720);
  window.settle();
  EXPECT_LE(window.find("start/self_test")->max.y, 720);
  EXPECT_EQ(window.find("start/open")->min.y, window.find("start/sample")->min.y);
}

TEST(FirstStart, SmallerWindows_AreScrolled) {
  HeadlessDashboard window(400, 300);
  window.settle();
  EXPECT_GT(window.find("start/self_test")->min.y, 300);
  window.move_to({200, 200});
  window.scroll(-100);
  window.frames(3);
  EXPECT_LE(window.find("start/self_test")->max.y, 300);
}

// ---------------------------------------------------------------- folder dialog

struct FolderDialog : ::testing::Test {
  FolderDialog() {
    window.shell.home_folder = "/home/ada";
    window.settle();
    window.click("start/open");
    window.frames(3);
  }
  /// What the program would answer to the latest ListFolder.
  void answer(std::vector<ui::FolderEntry> folders, std::string problem = {}) {
    window.shell.listing = ui::FolderListing{.folder = last_listed(),
                                             .folders = std::move(folders),
                                             .files = 3,
                                             .problem = std::move(problem)};
    window.frames(2);
  }
  std::filesystem::path last_listed() const {
    const auto listed = window.requests<ui::ListFolder>();
    return listed.empty() ? std::filesystem::path() : listed.back().folder;
  }

  HeadlessDashboard window{};
};

TEST_F(FolderDialog, Opened_ListsThePersonsFolder) {
  EXPECT_EQ(last_listed(), "/home/ada");
  EXPECT_FALSE(window.find("folder/open")->enabled);
  answer({});
  window.click("folder/open");
  ASSERT_EQ(window.requests<ui::OpenFolder>().size(), 1U);
  EXPECT_EQ(window.requests<ui::OpenFolder>()[0].folder, "/home/ada");
  window.frames(2);
  EXPECT_EQ(window.find("folder/open"), nullptr);
}

TEST_F(FolderDialog, DoubleClick_EntersAFolder) {
  answer({{.name = "aerial"}, {.name = "old_run", .is_run = true}});
  EXPECT_EQ(window.find("folder/entry/old_run")->text, "run");
  window.double_click("folder/entry/aerial");
  EXPECT_EQ(last_listed(), "/home/ada/aerial");
  answer({});
  window.click("folder/up");
  EXPECT_EQ(last_listed(), "/home/ada");
}

TEST_F(FolderDialog, MarkedFolder_IsTheOneThatIsOpened) {
  answer({{.name = "aerial"}, {.name = "fundus"}});
  window.click("folder/entry/fundus");
  EXPECT_EQ(window.find("folder/open")->text, "Open fundus");
  window.click("folder/open");
  EXPECT_EQ(window.requests<ui::OpenFolder>()[0].folder, "/home/ada/fundus");
}

TEST_F(FolderDialog, TypedPath_IsListedWithEnter) {
  answer({});
  window.click("folder/path");
  window.press(ImGuiKey_End);
  window.type("/x");
  window.press(ImGuiKey_Enter);
  window.frames(2);
  EXPECT_EQ(last_listed(), "/home/ada/x");
}

TEST_F(FolderDialog, FolderThatCannotBeRead_SaysWhyAndIsNotOpened) {
  answer({}, "Permission denied");
  EXPECT_EQ(window.find("folder/problem")->text, "Permission denied");
  EXPECT_FALSE(window.find("folder/open")->enabled);
}

TEST_F(FolderDialog, RecentDataFolders_AreOneClickAway) {
  window.shell.recent_folders = {"/data/aerial", "/data/fundus/"};
  answer({});
  EXPECT_EQ(window.find("folder/recent/1")->text, "fundus");
  window.click("folder/recent/0");
  EXPECT_EQ(last_listed(), "/data/aerial");
}

TEST_F(FolderDialog, FolderOfManyFolders_DrawsThoseInSightAlone) {
  std::vector<ui::FolderEntry> many(100'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = "f" + std::to_string(i);
  answer(std::move(many));
  EXPECT_NE(window.find("folder/entry/f0"), nullptr);
  EXPECT_EQ(window.find("folder/entry/f500"), nullptr);
  window.move_to("folder/entry/f3");
  window.scroll(-1e6F);
  window.frames(3);
  EXPECT_NE(window.find("folder/entry/f99999"), nullptr);
}

TEST_F(FolderDialog, EscapeAndCancel_CloseIt) {
  answer({});
  window.press(ImGuiKey_Escape);
  window.frames(2);
  EXPECT_EQ(window.find("folder/open"), nullptr);
  window.click("start/open");
  window.frames(2);
  window.click("folder/cancel");
  window.frames(2);
  EXPECT_EQ(window.find("folder/open"), nullptr);
  EXPECT_TRUE(window.requests<ui::OpenFolder>().empty());
}

TEST(OpeningAFolder, WhileARunIsUnderWay_OpensNothingAndSaysWhy) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot({.steps_done = 60, .plan_changes = {}}));
  window.settle();
  window.press(ImGuiKey_O, ImGuiMod_Ctrl);
  window.frames(2);
  ASSERT_EQ(window.requests<ui::ListFolder>().size(), 1U);
  window.shell.listing = ui::FolderListing{.folder = window.requests<ui::ListFolder>()[0].folder};
  window.frames(2);
  EXPECT_FALSE(window.find("folder/open")->enabled);
  EXPECT_EQ(window.find("folder/open")->text,
            run::refusal(run::RunState::training, run::Action::configure));
  window.click("folder/open");
  EXPECT_TRUE(window.requests<ui::OpenFolder>().empty());
}

}  // namespace
}  // namespace headroom::tests
