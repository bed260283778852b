// Ticks against values chosen by hand.
#include "ui/axis_ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace headroom::ui {
namespace {

std::vector<std::string> labels_of(const std::vector<Tick>& ticks) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST(LinearTicks, OfARun_EndWithItsLastStep) {
  EXPECT_EQ(labels_of(linear_ticks(0, 2000)), (Labels{"0", "500",
                                                      "1\xE2\x80\x89"
                                                      "000",
                                                      "1\xE2\x80\x89"
                                                      "500",
                                                      "2\xE2\x80\x89"
                                                      "000"}));
}

TEST(LinearTicks, OfAShare_HaveTheDecimalsTheyNeed) {
  EXPECT_EQ(labels_of(linear_ticks(0, 1)), (Labels{"0.00", "0.25", "0.50", "0.75", "1.00"}));
  EXPECT_EQ(labels_of(linear_ticks(-0.5, 0.5, 3)), (Labels{"-0.5", "0.0", "0.5"}));
}

TEST(LinearTicks, OfAnyRange_AreAtMostFiveWithinIt) {
  for (double high = 1e-9; high < 1e15; high *= 3.7) {
    const auto ticks = linear_ticks(high / 3, high);
    EXPECT_GE(ticks.size(), 2U) << high;
    EXPECT_LE(ticks.size(), 5U) << high;
    EXPECT_GE(ticks.front().value, high / 3 * (1 - 1e-6)) << high;
    EXPECT_LE(ticks.back().value, high * (1 + 1e-6)) << high;
  }
}

TEST(LinearTicks, OfNoRange_AreNone) {
  EXPECT_TRUE(linear_ticks(1, 1).empty());
  EXPECT_TRUE(linear_ticks(2, 1).empty());
  EXPECT_TRUE(linear_ticks(0, std::numeric_limits<double>::quiet_NaN()).empty());
  EXPECT_TRUE(linear_ticks(0, std::numeric_limits<double>::infinity()).empty());
}

TEST(LogTicks, OfALoss_AreAtOneTwoAndFive) {
  EXPECT_EQ(labels_of(log_ticks(0.05, 1.3)), (Labels{"0.05", "0.1", "0.2", "0.5", "1"}));
}

TEST(LogTicks, OfManyDecades_AreSomePowersOfTen) {
  const auto ticks = log_ticks(1e-9, 10);
  EXPECT_LE(ticks.size(), 5U);
  for (const Tick& tick : ticks) {
    EXPECT_NEAR(std::log10(tick.value), std::round(std::log10(tick.value)), 1e-9);
  }
}

TEST(LogTicks, BelowOneDecade_AreLinear) {
  EXPECT_EQ(labels_of(log_ticks(1.02, 1.08, 4)), (Labels{"1.02", "1.04", "1.06", "1.08"}));
}

TEST(LogTicks, WithoutAPositiveRange_AreNone) {
  EXPECT_TRUE(log_ticks(0, 1).empty());
  EXPECT_TRUE(log_ticks(-1, 1).empty());
}

}  // namespace
}  // namespace headroom::ui
