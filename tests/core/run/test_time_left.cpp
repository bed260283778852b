#include "core/run/time_left.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace headroom::run {
namespace {

class TimeLeft : public testing::Test {
 protected:
  /// A run of 100 steps that validates every 30: after 30, 60, 90 and 100.
  TimeLeft() {
    facts_.steps = 100;
    facts_.validate_every = 30;
  }

  void begin() {
    snapshot_ = {};
    add(Prepared{std::make_shared<const SessionFacts>(facts_)});
    add(StateChanged{RunState::preparing, RunState::training});
    add(PlanApplied{.step = facts_.first_step + 1});
  }
  void add(const Event& event) { snapshot_ = reduce(std::move(snapshot_), event); }
  void step(double seconds) {
    StepReport report;
    report.step = snapshot_.steps_done + 1;
    report.total_seconds = seconds;
    add(StepDone{report});
  }
  void steps_to(std::int64_t last, double seconds) {
    while (snapshot_.steps_done < last) step(seconds);
  }
  void validate(double seconds) {
    add(ValidationDone{{.step = snapshot_.steps_done, .seconds = seconds}});
  }

  SessionFacts facts_{};
  RunSnapshot snapshot_{};
};

TEST_F(TimeLeft, BeforeTheFirstStep_IsNotKnown) {
  EXPECT_FALSE(seconds_left({}));
  begin();
  EXPECT_FALSE(seconds_left(snapshot_));
}

TEST_F(TimeLeft, NoValidationYet_IsTheTimeOfTheSteps) {
  begin();
  steps_to(20, 2);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 80 * 2.0);
}

TEST_F(TimeLeft, AValidationThatIsDue_CountsUntilItIsDone) {
  begin();
  steps_to(30, 2);
  validate(7);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 70 * 2.0 + 3 * 7);
  steps_to(60, 2);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 40 * 2.0 + 3 * 7);
  validate(9);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 40 * 2.0 + 2 * 8);
}

TEST_F(TimeLeft, LastStepIsMultipleOfTheCadence_HasNoExtraValidation) {
  facts_.steps = 90;
  begin();
  steps_to(30, 1);
  validate(5);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 60 + 2 * 5);
  steps_to(60, 1);
  validate(5);
  steps_to(90, 1);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 5);
  validate(5);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 0);
}

TEST_F(TimeLeft, OneSlowStep_DoesNotCount) {
  begin();
  step(60);
  steps_to(10, 1);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 90);
}

TEST_F(TimeLeft, AfterAChangeOfPlan_FollowsTheStepsThatRanWithIt) {
  begin();
  steps_to(20, 1);
  add(PlanApplied{.step = 21, .plan = {plan::Policy::full}});
  steps_to(22, 3);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 78 * 3.0);
}

TEST_F(TimeLeft, LongRun_FollowsTheLastSteps) {
  facts_.steps = 20'000;
  facts_.validate_every = 0;
  begin();
  steps_to(9'000, 1);
  steps_to(10'000, 2);
  EXPECT_DOUBLE_EQ(seconds_left(snapshot_).value(), 10'000 * 2.0);
}

TEST_F(TimeLeft, NoRunUnderWay_IsNotKnown) {
  begin();
  steps_to(20, 2);
  add(StateChanged{RunState::training, RunState::paused});
  EXPECT_TRUE(seconds_left(snapshot_));
  add(StateChanged{RunState::stopping, RunState::finished});
  EXPECT_FALSE(seconds_left(snapshot_));
}

}  // namespace
}  // namespace headroom::run
