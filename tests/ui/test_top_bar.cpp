// The bar over all panels: one primary action by state, reasons, the space bar, narrow windows.
#include "ui/top_bar.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

using run::RunState;

run::RunSnapshot in_state(RunState state) {
  run::RunSnapshot run = training_snapshot({.steps_done = 100, .plan_changes = {}});
  run.state = state;
  return run;
}

struct TopBar : ::testing::Test {
  void show(run::RunSnapshot run) {
    window.run = shared(std::move(run));
    window.settle();
  }

  HeadlessDashboard window{};
};

TEST_F(TopBar, PrimaryAction_FollowsTheState) {
  const std::pair<RunState, const char*> kLabels[] = {
      {RunState::ready, "Start"},      {RunState::training, "Pause"},
      {RunState::validating, "Pause"}, {RunState::paused, "Resume"},
      {RunState::finished, "New run"}, {RunState::failed, "New run"}};
  for (const auto& [state, label] : kLabels) {
    show(in_state(state));
    ASSERT_NE(window.find("top/primary"), nullptr) << run::name_of(state);
    EXPECT_TRUE(window.find("top/primary")->enabled) << run::name_of(state);
    EXPECT_EQ(window.find("top/primary")->text, label) << run::name_of(state);
  }
}

TEST_F(TopBar, PrimaryButton_AsksForItsCommand) {
  show(in_state(RunState::ready));
  window.click("top/primary");
  EXPECT_EQ(window.commands<run::StartRun>().size(), 1U);
  show(in_state(RunState::training));
  window.click("top/primary");
  EXPECT_EQ(window.commands<run::Pause>().size(), 1U);
  show(in_state(RunState::paused));
  window.click("top/primary");
  EXPECT_EQ(window.commands<run::Resume>().size(), 1U);
  EXPECT_EQ(window.asked.commands.size(), 3U);
}

TEST_F(TopBar, StoppedRun_IsContinuedFromItsFolder) {
  run::RunSnapshot run = in_state(RunState::finished);
  run.outcome = run::Outcome::stopped;
  show(std::move(run));
  EXPECT_EQ(window.find("top/primary")->text, "Continue");
  window.click("top/primary");
  ASSERT_EQ(window.requests<ui::ContinueRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ContinueRun>()[0].run_folder, "runs/fundus_native");
}

TEST_F(TopBar, CompletedRun_OffersAnotherOneLikeIt) {
  run::RunSnapshot run = in_state(RunState::finished);
  run.outcome = run::Outcome::completed;
  show(std::move(run));
  window.click("top/primary");
  ASSERT_EQ(window.requests<ui::NewRun>().size(), 1U);
  EXPECT_EQ(window.requests<ui::NewRun>()[0].like.data_folder, "data/fundus");
  EXPECT_EQ(window.requests<ui::NewRun>()[0].like.settings.model.levels, 5);
}

TEST_F(TopBar, WhatCannotBeDone_TellsWhy) {
  show(in_state(RunState::preparing));
  EXPECT_FALSE(window.find("top/primary")->enabled);
  EXPECT_EQ(window.find("top/primary")->text,
            "The run is being prepared: it can be paused when training begins.");
  EXPECT_TRUE(window.find("top/stop")->enabled);
  show(in_state(RunState::stopping));
  EXPECT_EQ(window.find("top/primary")->text, "The run is stopping.");
  EXPECT_EQ(window.find("top/stop")->text, "The run is stopping already.");
  window.click("top/stop");
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_F(TopBar, Workspaces_AreOpenOnceThereIsARun) {
  window.settle();
  EXPECT_FALSE(window.find("top/workspace/Data")->enabled);
  EXPECT_EQ(window.find("top/workspace/Data")->text, "Open a data folder first.");
  show(in_state(RunState::training));
  EXPECT_TRUE(window.find("top/workspace/Data")->enabled);
  window.click("top/workspace/Data");
  window.frames(2);
  EXPECT_NE(window.find("data/folder"), nullptr);
  window.click("top/workspace/Train");
  window.frames(2);
  EXPECT_EQ(window.find("data/folder"), nullptr);
}

TEST_F(TopBar, Device_IsTheRunsWhileThereIsOne) {
  window.shell.machine.device = "NVIDIA GeForce RTX 3060, 12 GiB";
  window.shell.machine.is_gpu = true;
  window.settle();
  EXPECT_EQ(window.find("top/device")->text, "NVIDIA GeForce RTX 3060, 12 GiB");
  show(in_state(RunState::training));
  EXPECT_EQ(window.find("top/device")->text, "CPU, 2 threads");
}

TEST_F(TopBar, MemoryThatOthersHold_IsTold) {
  window.shell.machine.is_gpu = true;
  window.shell.machine.device_free_bytes = std::int64_t{6} << 30;
  window.settle();
  EXPECT_EQ(window.find("top/device")->text, "CPU, 2 threads, 6 GiB free");
  window.shell.machine.device_others_bytes = std::int64_t{2} << 30;
  window.frames(2);
  EXPECT_EQ(window.find("top/device")->text, "CPU, 2 threads, 2 GiB used by others");
}

TEST_F(TopBar, FolderWithASeparatorAtItsEnd_HasItsName) {
  run::RunSnapshot run = in_state(RunState::ready);
  run.request->run_folder = "runs/fundus_native/";
  show(std::move(run));
  EXPECT_EQ(window.find("top/name")->text, "fundus_native");
}

TEST_F(TopBar, SettingsMenu_SavesTheRunAtOnce) {
  show(in_state(RunState::training));
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/save");
  EXPECT_EQ(window.commands<run::SaveNow>().size(), 1U);
  show(in_state(RunState::preparing));
  window.click("top/settings");
  window.frames(2);
  EXPECT_EQ(window.find("top/settings/save")->text,
            "The run is being prepared: there is nothing to save yet.");
}

TEST_F(TopBar, SettingsMenu_NamesWhatDrawsTheWindow) {
  window.shell.machine.renderer = "llvmpipe (LLVM 15.0.6)";
  window.shell.machine.renders_in_software = true;
  window.settle();
  window.click("top/settings");
  window.frames(2);
  EXPECT_EQ(window.find("top/settings/renderer")->text, "llvmpipe (LLVM 15.0.6), in software");
}

TEST_F(TopBar, Stop_SavesAndEnds) {
  show(in_state(RunState::training));
  window.click("top/stop");
  EXPECT_EQ(window.commands<run::StopAndSave>().size(), 1U);
}

TEST_F(TopBar, SpaceBar_PausesAndResumes) {
  show(in_state(RunState::training));
  window.press(ImGuiKey_Space);
  EXPECT_EQ(window.commands<run::Pause>().size(), 1U);
  show(in_state(RunState::paused));
  window.press(ImGuiKey_Space);
  EXPECT_EQ(window.commands<run::Resume>().size(), 1U);
  show(in_state(RunState::stopping));
  window.press(ImGuiKey_Space);
  EXPECT_EQ(window.asked.commands.size(), 2U);
}

TEST_F(TopBar, SpaceBarOnAStage_CyclesItInstead) {
  show(in_state(RunState::training));
  window.click("plan/row/enc1");
  window.press(ImGuiKey_Space);
  EXPECT_TRUE(window.commands<run::Pause>().empty());
  EXPECT_EQ(window.commands<run::SetPlan>().size(), 1U);
}

TEST_F(TopBar, State_IsAWordWithTheStep) {
  show(in_state(RunState::training));
  EXPECT_EQ(window.find("top/state")->text,
            "Training, step 100 of 2\xE2\x80\x89"
            "000");
  run::RunSnapshot run = in_state(RunState::finished);
  run.outcome = run::Outcome::stopped;
  show(std::move(run));
  EXPECT_TRUE(window.find("top/state")->text.starts_with("Stopped"));
}

TEST_F(TopBar, ThemeAndMotion_AreSwitchedInTwoPlaces) {
  show(in_state(RunState::training));
  window.click("top/theme");
  EXPECT_EQ(window.dashboard().preferences().theme, ui::ThemeKind::light);
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/theme/Dark");
  EXPECT_EQ(window.dashboard().preferences().theme, ui::ThemeKind::dark);
  window.click("top/settings/motion/Reduced");
  EXPECT_TRUE(window.dashboard().preferences().reduce_motion);
}

TEST_F(TopBar, ResetLayout_ClosesTheMenu) {
  show(in_state(RunState::training));
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/reset");
  window.frames(8);
  EXPECT_EQ(window.find("top/settings/reset"), nullptr);
  EXPECT_NE(window.find("plan/stage/enc1"), nullptr);
}

TEST_F(TopBar, WithoutARun_HasNoActions) {
  window.settle();
  EXPECT_EQ(window.find("top/primary"), nullptr);
  EXPECT_EQ(window.find("top/stop"), nullptr);
  EXPECT_NE(window.find("top/theme"), nullptr);
}

TEST(TopBarNarrow, Parts_NeverOverlapAndStayInside) {
  for (const float width : {320.0F, 500.0F, 800.0F, 1000.0F, 1280.0F, 1599.0F, 1600.0F, 2560.0F}) {
    HeadlessDashboard window(width, 600);
    run::RunSnapshot run = in_state(RunState::training);
    run.request->run_folder = std::string(300, 'n');
    window.run = shared(std::move(run));
    window.shell.machine.device = std::string(300, 'd');
    window.shell.machine.memory_free_bytes = 1 << 30;
    window.settle();
    std::vector<ui::ProbedItem> items;
    for (const ui::ProbedItem& item : window.probe().items()) {
      if (item.name.starts_with("top/")) items.push_back(item);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      EXPECT_GE(items[i].min.x, 0) << width << ' ' << items[i].name;
      EXPECT_LE(items[i].max.x, width) << width << ' ' << items[i].name;
      for (std::size_t j = i + 1; j < items.size(); ++j) {
        EXPECT_TRUE(items[i].max.x <= items[j].min.x || items[j].max.x <= items[i].min.x)
            << width << ' ' << items[i].name << ' ' << items[j].name;
      }
    }
    EXPECT_NE(window.find("top/theme"), nullptr);
    EXPECT_NE(window.find("top/primary"), nullptr) << width;
    EXPECT_NE(window.find("top/stop"), nullptr) << width;
  }
}

TEST_F(TopBar, Size_MakesEverythingLarger) {
  show(in_state(RunState::training));
  const ui::ProbedItem before = *window.find("top/primary");
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/size/150 %");
  window.frames(3);
  EXPECT_FLOAT_EQ(window.dashboard().preferences().size, 1.5F);
  const ui::ProbedItem& after = *window.find("top/primary");
  EXPECT_NEAR(after.max.y - after.min.y, 1.5F * (before.max.y - before.min.y), 1);
}

/// Sizes of fonts that have glyphs.
int baked_fonts() {
  int count = 0;
  const auto& pool = ImGui::GetIO().Fonts->Builder->BakedPool;
  for (int i = 0; i < pool.Size; ++i) count += pool[i].WantDestroy ? 0 : 1;
  return count;
}

TEST_F(TopBar, SizeChangedTwentyTimes_LeavesNoGlyphsBehind) {
  show(in_state(RunState::training));
  window.click("top/settings");
  window.frames(10);
  const int before = baked_fonts();
  for (int change = 0; change < 10; ++change) {
    window.click("top/settings/size/80 %");
    window.frames(10);
    window.click("top/settings/size/100 %");
    window.frames(10);
  }
  EXPECT_LE(baked_fonts(), before + 2);
}

}  // namespace
}  // namespace headroom::tests
