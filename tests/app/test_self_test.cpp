#include "app/self_test.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::app {
namespace {

TEST(SelfTest, OnThisMachine_PassesForAllPlansOfFiveStages) {
  const run::SelfTestReport report = self_test({});
  EXPECT_EQ(report.plans, 32);
  EXPECT_EQ(report.equal, 32);
  EXPECT_EQ(report.problem, "");
  EXPECT_TRUE(report.has_passed());
  EXPECT_GT(report.seconds, 0);
}

TEST(SelfTest, Stopped_IsInterrupted) {
  std::stop_source source;
  source.request_stop();
  const auto error = tests::thrown_error([&] { (void)self_test(source.get_token()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace headroom::app
