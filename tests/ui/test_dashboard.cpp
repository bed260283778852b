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

}  // namespace
}  // namespace headroom::tests
