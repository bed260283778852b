// The dashboard as a whole, without a window: its panels, how they are docked, and that it follows
// the run by itself.
#include "ui/dashboard.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

/// Where a panel's left edge is; its node tells which panels share a place.
float left_of(const char* id) { return ImGui::FindWindowByName(id)->Pos.x; }
ImGuiID node_of(const char* id) { return ImGui::FindWindowByName(id)->DockId; }

/// In two columns step memory, preview and log share a place; in three the preview has its own.
bool has_three_columns() { return node_of("###preview") != node_of("###step_memory"); }

void show_training(HeadlessDashboard& window) {
  window.run = shared(training_snapshot({.steps_done = 100, .plan_changes = {}}));
  window.settle();
}

/// Moves the splitter left of Training by hand.
void drag_splitter(HeadlessDashboard& window, float by) {
  const ImVec2 at{left_of("###training") - 1, 400};
  window.move_to(at);
  window.frames(2);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  window.frame();
  for (int piece = 1; piece <= 4; ++piece)
    window.move_to(ImVec2{at.x + by * static_cast<float>(piece) / 4, at.y});
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  window.frames(2);
}

TEST(Dashboard, WhileTraining_DrawsEveryPanel) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  EXPECT_TRUE(window.asked.commands.empty());
  EXPECT_EQ(window.asked.requests.size(), window.requests<ui::Foresee>().size())
      << "nothing but what is to be predicted";
}

TEST(Dashboard, ControlQ_AsksToQuitInEveryState) {
  for (std::size_t state = 0; state < run::kRunStates; ++state) {
    HeadlessDashboard window(1280, 720);
    run::RunSnapshot snapshot = training_snapshot({.steps_done = 60});
    snapshot.state = static_cast<run::RunState>(state);
    if (snapshot.state == run::RunState::finished) snapshot.outcome = run::Outcome::stopped;
    window.run = shared(std::move(snapshot));
    window.settle();
    window.press(ImGuiKey_Q, ImGuiMod_Ctrl);
    EXPECT_EQ(window.requests<ui::Quit>().size(), 1U) << run::kRunStateNames[state];
  }
}

TEST(Dashboard, SnapshotsThatGoOn_AreShownWithoutAnyInput) {
  HeadlessDashboard window;
  show_training(window);
  std::string before = window.find("top/state")->text;
  for (const std::int64_t steps : {101, 102, 103}) {
    run::RunSnapshot next = *window.run;
    next.steps_done = steps;
    next.last_step->step = steps;
    ++next.revision;
    window.run = shared(std::move(next));
    window.frame();
    const std::string now = window.find("top/state")->text;
    EXPECT_NE(now, before);
    EXPECT_NE(now.find(std::to_string(steps)), std::string::npos) << now;
    before = now;
  }
}

TEST(Layout, SavedByASmallWindow_IsThereAtTheNextStart) {
  std::string saved;
  float left = 0;
  {
    HeadlessDashboard window(1280, 720);
    show_training(window);
    const float before = left_of("###training");
    drag_splitter(window, -80);
    left = left_of("###training");
    ASSERT_NEAR(left, before - 80, 8) << "the splitter moves";
    saved = ImGui::SaveIniSettingsToMemory();
  }
  HeadlessDashboard window(1280, 720);
  ImGui::LoadIniSettingsFromMemory(saved.c_str(), saved.size());
  show_training(window);
  EXPECT_NEAR(left_of("###training"), left, 2);
}

TEST(Layout, SavedByAProgramWithFewerPanels_IsBuiltAnew) {
  std::string saved;
  {
    HeadlessDashboard window(1920, 1080);
    show_training(window);
    saved = ImGui::SaveIniSettingsToMemory();
  }
  const std::size_t entry = saved.find("[Window][what_fits]");
  ASSERT_NE(entry, std::string::npos);
  saved.erase(entry, saved.find("[Window]", entry + 1) - entry);
  HeadlessDashboard window(1920, 1080);
  ImGui::LoadIniSettingsFromMemory(saved.c_str(), saved.size());
  show_training(window);
  EXPECT_TRUE(ImGui::FindWindowByName("###what_fits")->DockIsActive);
}

TEST(Layout, NobodyHasTouched_FollowsTheWindowsSize) {
  HeadlessDashboard window(1920, 1080);
  show_training(window);
  EXPECT_TRUE(has_three_columns());
  window.resize(1280, 720);
  window.settle();
  EXPECT_FALSE(has_three_columns());
  window.resize(1700, 900);
  window.settle();
  EXPECT_TRUE(has_three_columns());
  // Sizes in between do not count as a hand.
  window.resize(2400, 1300);
  window.settle();
  window.resize(1280, 720);
  window.settle();
  EXPECT_FALSE(has_three_columns());
}

TEST(Layout, ArrangedByHand_StaysWhenTheWindowIsResized) {
  HeadlessDashboard window(1920, 1080);
  show_training(window);
  drag_splitter(window, 60);
  window.resize(1280, 720);
  window.settle();
  EXPECT_TRUE(has_three_columns());
}

TEST(Layout, ResetAfterwards_IsTheOneForThisSize) {
  HeadlessDashboard window(1920, 1080);
  show_training(window);
  drag_splitter(window, 60);
  window.resize(1280, 720);
  window.settle();
  window.click("top/settings");
  window.frames(2);
  window.click("top/settings/reset");
  window.settle();
  EXPECT_FALSE(has_three_columns());
}

}  // namespace
}  // namespace headroom::tests
