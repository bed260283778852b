// Snapshots that contradict themselves, in windows of all sizes: no assert, no two controls with
// one ID, and nothing asked for that nobody wanted.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/hostile_snapshots.hpp"
#include "tests/ui/sample_folder.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

struct WindowSize {
  float width = 0, height = 0, scale = 1;
};

class HostileSnapshots : public testing::TestWithParam<WindowSize> {};

/// Hovers points all over the window.
void sweep(HeadlessDashboard& window, const WindowSize& size, const std::string& name) {
  constexpr int kColumns = 9, kRows = 7;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      window.move_to(ImVec2{size.width * (static_cast<float>(column) + 0.5F) / kColumns,
                            size.height * (static_cast<float>(row) + 0.5F) / kRows});
      ASSERT_EQ(GImGui->DebugDrawIdConflictsId, 0U) << name;
    }
  }
}

TEST_P(HostileSnapshots, InAWindow_AreDrawnAndAskForNothing) {
  const WindowSize size = GetParam();
  HeadlessDashboard window(size.width, size.height, {}, size.scale);
  for (const HostileSnapshot& hostile : hostile_snapshots()) {
    SCOPED_TRACE(hostile.name);
    window.run = hostile.run;
    window.shell.outlook = hostile.outlook;
    window.settle();
    sweep(window, size, hostile.name);
    EXPECT_TRUE(window.asked.commands.empty());
  }
}

TEST_P(HostileSnapshots, WithEveryPanelInFront_AreDrawn) {
  const WindowSize size = GetParam();
  HeadlessDashboard window(size.width, size.height, {}, size.scale);
  for (const ui::Panel& panel : ui::kPanels) {
    for (const HostileSnapshot& hostile : hostile_snapshots()) {
      SCOPED_TRACE(hostile.name);
      window.run = hostile.run;
      window.shell.outlook = hostile.outlook;
      window.dashboard().show(panel.workspace);
      window.frames(2);
      ImGui::SetWindowFocus(panel.id);
      window.frames(2);
    }
  }
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_P(HostileSnapshots, OfDataFolders_AreDrawnAndAskForNothingButPictures) {
  const WindowSize size = GetParam();
  HeadlessDashboard window(size.width, size.height, {}, size.scale);
  for (const HostileFolder& hostile : hostile_folders()) {
    SCOPED_TRACE(hostile.name);
    window.shell.data = hostile.folder;
    window.shell.pictures = sample_pictures(hostile.folder);
    window.run = shared(run_ready_on(*hostile.folder));
    window.settle();
    sweep(window, size, hostile.name);
    EXPECT_TRUE(window.asked.commands.empty());
    EXPECT_TRUE(window.requests<ui::ReadData>().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(OfAllSizes, HostileSnapshots,
                         testing::Values(WindowSize{320, 200, 1}, WindowSize{1280, 720, 1},
                                         WindowSize{3840, 2160, 1}, WindowSize{2560, 1440, 2},
                                         WindowSize{320, 200, 2}),
                         [](const auto& instance) {
                           return std::to_string(static_cast<int>(instance.param.width)) + "x" +
                                  std::to_string(static_cast<int>(instance.param.height)) + "at" +
                                  std::to_string(static_cast<int>(instance.param.scale));
                         });

}  // namespace
}  // namespace headroom::tests
