#include "core/run/plan_effect.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace headroom::run {
namespace {

using plan::Plan;
using plan::Policy;

const Plan kKeep = {Policy::keep, Policy::keep};
const Plan kFirstFull = {Policy::full, Policy::keep};
const Plan kFull = {Policy::full, Policy::full};

StepReport step_of(std::int64_t peak_total_bytes, double seconds, double waiting = 0) {
  StepReport report;
  report.peak_total_bytes = peak_total_bytes;
  report.total_seconds = seconds + waiting;
  report.seconds[static_cast<std::size_t>(plan::Phase::data)] = waiting;
  return report;
}

class PlanEffectTest : public testing::Test {
 protected:
  void begin(std::int64_t number, std::int64_t step, const Plan& plan) {
    effect_.begin({.number = number, .step = step, .plan = plan});
  }
  /// `count` steps alike; what the last one told.
  std::optional<PlanMeasured> add(int count, std::int64_t peak_total_bytes, double seconds) {
    std::optional<PlanMeasured> told;
    for (int i = 0; i < count; ++i) {
      EXPECT_FALSE(told) << "told before the last step";
      told = effect_.add(step_of(peak_total_bytes, seconds));
    }
    return told;
  }

  PlanEffect effect_{};
};

TEST_F(PlanEffectTest, EightStepsOnEitherSide_GiveHighestPeakAndMedianSeconds) {
  begin(0, 1, kKeep);
  EXPECT_FALSE(add(30, 999, 9));  // before the last eight: not looked at
  for (int i = 1; i <= 8; ++i) EXPECT_FALSE(effect_.add(step_of(1000 + i, i)));
  EXPECT_FALSE(effect_.finish());

  begin(1, 39, kFirstFull);
  EXPECT_FALSE(effect_.add(step_of(5000, 50)));  // the first one does not count
  for (int i = 1; i <= 7; ++i) EXPECT_FALSE(effect_.add(step_of(600 - i, 10 * i)));
  const auto told = effect_.add(step_of(600, 1000));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->number, 1);
  EXPECT_EQ(told->step, 39);
  EXPECT_EQ(told->before, kKeep);
  EXPECT_EQ(told->after, kFirstFull);
  EXPECT_EQ(told->peak_total_bytes_before, 1008);
  EXPECT_EQ(told->peak_total_bytes_after, 600);
  EXPECT_EQ(told->step_seconds_before, 4.5);
  EXPECT_EQ(told->step_seconds_after, 45);
  EXPECT_FALSE(add(20, 600, 1));
  EXPECT_FALSE(effect_.finish());
}

TEST_F(PlanEffectTest, WaitingForData_IsNotThePlansDoing) {
  begin(0, 1, kKeep);
  static_cast<void>(add(3, 100, 1));
  begin(1, 4, kFull);
  static_cast<void>(effect_.add(step_of(100, 2)));
  static_cast<void>(effect_.add(step_of(100, 2, 40)));
  EXPECT_EQ(effect_.finish().value().step_seconds_after, 2);
}

TEST_F(PlanEffectTest, NextChangeComesEarly_TellsFromTheStepsThatAreThere) {
  begin(0, 1, kKeep);
  static_cast<void>(add(5, 100, 1));
  begin(1, 6, kFirstFull);
  static_cast<void>(add(1, 900, 7));
  static_cast<void>(add(1, 80, 3));
  static_cast<void>(add(1, 70, 4));
  const auto told = effect_.finish();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->peak_total_bytes_after, 80);
  EXPECT_EQ(told->step_seconds_after, 3.5);
}

TEST_F(PlanEffectTest, OnlyTheFirstStep_TellsNothing) {
  begin(0, 1, kKeep);
  static_cast<void>(add(5, 100, 1));
  begin(1, 6, kFirstFull);
  EXPECT_FALSE(add(1, 900, 7));
  EXPECT_FALSE(effect_.finish());
}

TEST_F(PlanEffectTest, PlanWithoutAStepThatCounts_IsPassedOver) {
  begin(0, 1, kKeep);
  static_cast<void>(add(5, 100, 1));
  begin(1, 6, kFirstFull);
  static_cast<void>(add(1, 900, 7));
  static_cast<void>(effect_.finish());
  begin(2, 7, kFull);
  static_cast<void>(add(3, 60, 2));
  const auto told = effect_.finish();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->number, 2);
  EXPECT_EQ(told->before, kKeep);
  EXPECT_EQ(told->after, kFull);
  EXPECT_EQ(told->peak_total_bytes_before, 100);
  EXPECT_EQ(told->peak_total_bytes_after, 60);
}

TEST_F(PlanEffectTest, PlanThatARunBegins_IsComparedWithNothing) {
  begin(0, 1, kKeep);
  EXPECT_FALSE(add(20, 100, 1));
  EXPECT_FALSE(effect_.finish());
  begin(0, 1, kFull);  // the next run
  EXPECT_FALSE(add(20, 50, 1));
  EXPECT_FALSE(effect_.finish());
}

TEST_F(PlanEffectTest, FewerTilesAtOnce_AreTold) {
  effect_.begin({.number = 0, .step = 1, .plan = kKeep, .tiles_at_once = 4});
  EXPECT_FALSE(add(4, 1000, 1));
  effect_.begin({.number = 1, .step = 5, .plan = kKeep, .tiles_at_once = 2});
  EXPECT_FALSE(add(4, 600, 1.5));
  const std::optional<PlanMeasured> told = effect_.finish();
  ASSERT_TRUE(told);
  EXPECT_EQ(told->tiles_at_once_before, 4);
  EXPECT_EQ(told->tiles_at_once_after, 2);
}

}  // namespace
}  // namespace headroom::run
