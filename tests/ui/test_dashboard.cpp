// The dashboard as a whole, without a window.
#include "ui/dashboard.hpp"

#include <gtest/gtest.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

TEST(Dashboard, WhileTraining_DrawsEveryPanel) {
  HeadlessDashboard window;
  window.run = shared(training_snapshot());
  window.settle();
  EXPECT_TRUE(window.asked.commands.empty());
  EXPECT_TRUE(window.asked.requests.empty());
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

}  // namespace
}  // namespace headroom::tests
