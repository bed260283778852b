#include "core/run/controller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <thread>

#include "tests/core/run/controller_fixture.hpp"

namespace headroom::run {
namespace {

using base::ErrorKind;
using plan::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::NotNull;

using RunControllerTest = ControllerWithFake;

TEST_F(RunControllerTest, WholeRun_DoesEveryStepValidatesSavesAndFinishes) {
  start();
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->state, RunState::finished);
  EXPECT_EQ(snapshot->outcome, Outcome::completed);
  EXPECT_EQ(snapshot->steps_done, 10);
  EXPECT_THAT(steps_done(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_THAT(validated_steps(), ElementsAre(5, 10));
  EXPECT_EQ(world_.count("save"), 1);
  EXPECT_EQ(snapshot->last_save->step, 10);
  EXPECT_EQ(snapshot->last_save->bytes, 1000);
  EXPECT_EQ(world_.weights, expected_weights(10));
  EXPECT_EQ(snapshot->history.loss.buckets().size(), 10U);
}

TEST_F(RunControllerTest, StepsNotAMultipleOfTheCadence_ValidatesAtTheEndToo) {
  world_.steps = 7;
  start();
  static_cast<void>(controller_->wait_until_done());
  EXPECT_THAT(validated_steps(), ElementsAre(5, 7));
}

TEST_F(RunControllerTest, PauseInsideAStep_AbandonsItAndResumeRepeatsIt) {
  world_.block("step 3");
  start();
  world_.wait_until_inside("step 3");
  controller_->post(Pause{});
  const auto paused = wait_for(RunState::paused);
  ASSERT_THAT(paused, NotNull());
  EXPECT_EQ(paused->steps_done, 2);

  world_.release("step 3");
  controller_->post(Resume{});
  EXPECT_EQ(controller_->wait_until_done()->outcome, Outcome::completed);
  EXPECT_EQ(world_.count("step 3"), 2);
  EXPECT_THAT(steps_done(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(world_.weights, expected_weights(10));
}

TEST_F(RunControllerTest, Pause_SavesOnceAndStoppingThenNeedsNoSecondSave) {
  world_.block("step 3");
  start();
  world_.wait_until_inside("step 3");
  controller_->post(Pause{});
  controller_->post(StopAndSave{});
  const auto stopped = controller_->wait_until_done();
  EXPECT_EQ(stopped->outcome, Outcome::stopped);
  EXPECT_EQ(stopped->last_save->step, 2);
  EXPECT_EQ(world_.count("save"), 1);
}

TEST_F(RunControllerTest, StopInsideAStep_SavesTheStepsBefore) {
  world_.block("step 4");
  start();
  world_.wait_until_inside("step 4");
  controller_->post(StopAndSave{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->state, RunState::finished);
  EXPECT_EQ(snapshot->outcome, Outcome::stopped);
  EXPECT_EQ(snapshot->last_save->step, 3);
  EXPECT_EQ(world_.weights, expected_weights(3));
}

TEST_F(RunControllerTest, PauseInsideValidation_RepeatsItOnResume) {
  world_.block("validate 5");
  start();
  world_.wait_until_inside("validate 5");
  controller_->post(Pause{});
  ASSERT_THAT(wait_for(RunState::paused), NotNull());
  EXPECT_THAT(validated_steps(), IsEmpty());
  world_.release("validate 5");
  controller_->post(Resume{});
  static_cast<void>(controller_->wait_until_done());
  EXPECT_EQ(world_.count("validate 5"), 2);
  EXPECT_THAT(validated_steps(), ElementsAre(5, 10));
}

TEST_F(RunControllerTest, StopInsidePreparing_EndsWithoutASave) {
  world_.block("prepare");
  start();
  world_.wait_until_inside("prepare");
  controller_->post(StopAndSave{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->outcome, Outcome::stopped);
  EXPECT_THAT(world_.calls(), ElementsAre("prepare", "interrupted"));
  EXPECT_THAT(run_events_.of<Prepared>(), IsEmpty());
}

TEST_F(RunControllerTest, PauseWhilePreparing_WaitsForTrainingAndDoesNotInterrupt) {
  world_.block("prepare");
  start();
  world_.wait_until_inside("prepare");
  controller_->post(Pause{});
  world_.release("prepare");
  // The command is looked at when training can begin, and is allowed then.
  ASSERT_THAT(wait_for(RunState::paused), NotNull());
  EXPECT_EQ(world_.count("interrupted"), 0);
}

TEST_F(RunControllerTest, Toggle_IsAppliedByTheNextStepWithEventAndSnapshot) {
  world_.block("step 4");
  start();
  world_.wait_until_inside("step 4");
  const plan::Plan toggled = {Policy::full, Policy::keep, Policy::keep};
  controller_->post(SetPlan{toggled});
  world_.release("step 4");
  const auto snapshot = controller_->wait_until_done();

  const auto applied = events_.of<PlanApplied>();
  ASSERT_EQ(applied.size(), 2U);
  EXPECT_EQ(applied[0].step, 1);
  EXPECT_EQ(applied[1].step, 5);
  EXPECT_EQ(applied[1].plan, toggled);
  EXPECT_EQ(events_.of<StepDone>().at(3).report.plan, plan::Plan(3, Policy::keep));
  EXPECT_EQ(events_.of<StepDone>().at(4).report.plan, toggled);
  EXPECT_EQ(snapshot->requested_plan, toggled);
  EXPECT_EQ(snapshot->applied_plan, toggled);
  EXPECT_EQ(snapshot->plan_marks.back().step, 5);
}

TEST_F(RunControllerTest, Toggle_IsMeasuredOnceEightStepsThatCountRanWithIt) {
  world_.steps = 20;
  world_.validate_every = 0;
  world_.block("step 5");
  start();
  world_.wait_until_inside("step 5");
  const plan::Plan toggled(3, Policy::full);
  controller_->post(SetPlan{toggled});
  world_.release("step 5");
  const auto snapshot = controller_->wait_until_done();

  const auto measured = events_.of<PlanMeasured>();
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].number, 1);
  EXPECT_EQ(measured[0].step, 6);
  EXPECT_EQ(measured[0].before, plan::Plan(3, Policy::keep));
  EXPECT_EQ(measured[0].after, toggled);
  EXPECT_EQ(measured[0].peak_total_bytes_before, 1105);
  EXPECT_EQ(measured[0].peak_total_bytes_after, 1114);  // steps 7 … 14
  EXPECT_EQ(measured[0].step_seconds_after, 3.375);
  EXPECT_EQ(snapshot->plan_marks.back().effect.value().peak_total_bytes_after, 1114);
}

TEST_F(RunControllerTest, ToggleNearTheEnd_IsMeasuredBeforeTheRunIsOver) {
  world_.validate_every = 0;
  world_.block("step 7");
  start();
  world_.wait_until_inside("step 7");
  controller_->post(SetPlan{plan::Plan(3, Policy::full)});
  world_.release("step 7");
  static_cast<void>(controller_->wait_until_done());
  const auto measured = events_.of<PlanMeasured>();
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].peak_total_bytes_after, 1110);
  EXPECT_EQ(run_events_.of<PlanMeasured>().size(), 1U);
}

TEST_F(RunControllerTest, LogLines_HaveTheTimeOfTheWallClock) {
  ControllerOptions options = this->options();
  const std::chrono::system_clock::time_point then(std::chrono::seconds(1'000'000'000));
  options.wall_clock = [then] { return then; };
  start(std::move(options));
  const auto snapshot = controller_->wait_until_done();
  ASSERT_THAT(snapshot->log, Not(IsEmpty()));
  for (const LogEntry& entry : snapshot->log) EXPECT_EQ(entry.time, then);
  EXPECT_EQ(snapshot->log.back().text, "All 10 steps done");
}

TEST_F(RunControllerTest, ToggleWhilePaused_IsRequestedAtOnceAndAppliedAfterResume) {
  world_.block("step 2");
  start();
  world_.wait_until_inside("step 2");
  controller_->post(Pause{});
  const plan::Plan toggled(3, Policy::full);
  controller_->post(SetPlan{toggled});
  const auto paused = watch_.wait_until(*controller_, [&](const RunSnapshot& snapshot) {
    return snapshot.requested_plan == toggled;
  });
  ASSERT_THAT(paused, NotNull());
  EXPECT_EQ(paused->state, RunState::paused);
  EXPECT_EQ(paused->applied_plan, plan::Plan(3, Policy::keep));
  world_.release("step 2");
  controller_->post(Resume{});
  static_cast<void>(controller_->wait_until_done());
  EXPECT_EQ(events_.of<PlanApplied>().back().step, 2);
}

TEST_F(RunControllerTest, PlanOfAnotherLength_IsRefused) {
  world_.block("step 1");
  start();
  world_.wait_until_inside("step 1");
  controller_->post(SetPlan{plan::Plan(2, Policy::full)});
  world_.release("step 1");
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->outcome, Outcome::completed);
  ASSERT_EQ(events_.of<CommandRefused>().size(), 1U);
  EXPECT_THAT(events_.of<CommandRefused>()[0].reason, HasSubstr("3"));
  EXPECT_THAT(events_.of<PlanRequested>(), IsEmpty());
}

TEST_F(RunControllerTest, PlanThatTheSessionRefuses_LeavesTheRunAlone) {
  world_.at_set_plan = [] { throw_error(ErrorKind::usage); };
  world_.block("step 1");
  start();
  world_.wait_until_inside("step 1");
  controller_->post(SetPlan{plan::Plan(3, Policy::light)});
  world_.release("step 1");
  EXPECT_EQ(controller_->wait_until_done()->outcome, Outcome::completed);
  EXPECT_EQ(events_.of<CommandRefused>().at(0).reason, "a: b. c");
}

TEST_F(RunControllerTest, LearningRate_CountsFromTheNextStepAndNonsenseIsRefused) {
  world_.block("step 2");
  start();
  world_.wait_until_inside("step 2");
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 0.25}) {
    controller_->post(SetLearningRate{rate});
  }
  world_.release("step 2");
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(events_.of<CommandRefused>().size(), 3U);
  ASSERT_EQ(events_.of<LearningRateSet>().size(), 1U);
  EXPECT_EQ(events_.of<LearningRateSet>()[0].step, 3);
  EXPECT_EQ(snapshot->learning_rate->peak_rate, 0.25);
  EXPECT_EQ(events_.of<StepDone>().at(2).report.learning_rate, 0.25);
}

TEST_F(RunControllerTest, SaveNow_SavesBetweenSteps) {
  world_.block("step 3");
  start();
  world_.wait_until_inside("step 3");
  controller_->post(SaveNow{});
  world_.release("step 3");
  static_cast<void>(controller_->wait_until_done());
  EXPECT_EQ(events_.of<Saved>().at(0).step, 3);
  EXPECT_EQ(world_.count("interrupted"), 0);
}

TEST_F(RunControllerTest, SaveInterval_IsKeptByTheClock) {
  request_.settings.train.save_every_seconds = 10;
  world_.at_each_step = [this] { now_ms_ += 4000; };
  start();
  static_cast<void>(controller_->wait_until_done());
  std::vector<std::int64_t> saved;
  for (const Saved& each : events_.of<Saved>()) saved.push_back(each.step);
  EXPECT_THAT(saved, ElementsAre(3, 6, 9, 10));
}

TEST_F(RunControllerTest, ResumedAtAValidatedStep_DoesNotValidateItAgain) {
  world_.first_step = 5;
  world_.last_validated_step = 5;
  start();
  static_cast<void>(controller_->wait_until_done());
  EXPECT_THAT(steps_done(), ElementsAre(6, 7, 8, 9, 10));
  EXPECT_THAT(validated_steps(), ElementsAre(10));
  EXPECT_EQ(world_.weights, expected_weights(10));
}

TEST_F(RunControllerTest, ResumedBeforeADueValidation_ValidatesFirst) {
  world_.first_step = 5;
  start();
  static_cast<void>(controller_->wait_until_done());
  EXPECT_THAT(validated_steps(), ElementsAre(5, 10));
}

TEST_F(RunControllerTest, ResumedAtTheEnd_FinishesAtOnce) {
  world_.first_step = 10;
  world_.last_validated_step = 10;
  start();
  EXPECT_EQ(controller_->wait_until_done()->outcome, Outcome::completed);
  EXPECT_THAT(world_.calls(), ElementsAre("prepare"));
}

/// Uses the controller from inside an event, as a progress bar or script may.
class CallingSink : public EventSink {
 public:
  explicit CallingSink(const std::unique_ptr<RunController>& controller)
      : controller_(controller) {}

 private:
  void do_handle(const Event& event) override {
    if (std::holds_alternative<StepDone>(event)) {
      static_cast<void>(controller_->snapshot());
      controller_->post(SaveNow{});
    }
  }
  const std::unique_ptr<RunController>& controller_;
};

TEST_F(RunControllerTest, SinkThatUsesTheController_DoesNotDeadlock) {
  world_.steps = 3;
  world_.block("prepare");
  ControllerOptions options = this->options();
  options.sinks.push_back(std::make_unique<CallingSink>(controller_));
  start(std::move(options));
  world_.release("prepare");
  EXPECT_EQ(controller_->wait_until_done()->outcome, Outcome::completed);
}

TEST_F(RunControllerTest, NothingStarted_IsDoneAtOnce) {
  controller_ = std::make_unique<RunController>(options());
  EXPECT_EQ(controller_->wait_until_done()->state, RunState::empty);
  controller_->post(StartRun{});
  EXPECT_EQ(controller_->wait_until_done()->state, RunState::empty);
  EXPECT_EQ(events_.of<CommandRefused>().at(0).reason, refusal(RunState::empty, Action::start));
  controller_->post(Configure{request_});
  EXPECT_EQ(controller_->wait_until_done()->state, RunState::ready);
}

TEST_F(RunControllerTest, DestroyedInsideAStep_SavesAndJoins) {
  world_.block("step 4");
  start();
  world_.wait_until_inside("step 4");
  controller_.reset();
  EXPECT_EQ(world_.calls().back(), "save");
  EXPECT_EQ(world_.weights, expected_weights(3));
  ASSERT_EQ(events_.of<Finished>().size(), 1U);
  EXPECT_EQ(events_.of<Finished>()[0].outcome, Outcome::stopped);
}

TEST_F(RunControllerTest, DestroyedWhilePreparing_Joins) {
  world_.block("prepare");
  start();
  world_.wait_until_inside("prepare");
  controller_.reset();
  EXPECT_EQ(world_.count("save"), 0);
}

TEST_F(RunControllerTest, QuickSteps_ArePublishedAtMostEightTimesASecond) {
  world_.steps = 2000;
  world_.validate_every = 0;
  world_.at_each_step = [this] { now_ms_ += 1; };
  start();
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->steps_done, 2000);
  const auto state_changes = static_cast<std::int64_t>(events_.of<StateChanged>().size());
  EXPECT_LE(watch_.published(), state_changes + 2 * 8 + 1);
  EXPECT_GE(watch_.published(), 2 * 8);
}

TEST_F(RunControllerTest, SlowSteps_AreEachPublished) {
  world_.steps = 20;
  world_.validate_every = 0;
  world_.at_each_step = [this] { now_ms_ += 200; };
  start();
  static_cast<void>(controller_->wait_until_done());
  EXPECT_GE(watch_.published(), 20);
}

TEST_F(RunControllerTest, RunSinks_HearFromPreparedToTheEnd) {
  start();
  static_cast<void>(controller_->wait_until_done());
  const std::vector<Event> heard = run_events_.events();
  ASSERT_THAT(heard, Not(IsEmpty()));
  EXPECT_TRUE(std::holds_alternative<Prepared>(heard.front()));
  EXPECT_EQ(run_events_.of<Finished>().size(), 1U);
  EXPECT_EQ(run_events_.of<StepDone>().size(), 10U);
}

class RandomCommands : public ControllerWithFake, public testing::WithParamInterface<int> {
 protected:
  Command any_command(std::mt19937& random) {
    const auto policy = [&] { return static_cast<Policy>(random() % 4); };
    switch (random() % 11) {
      case 0:
        return Configure{request_};
      case 1:
        return StartRun{};
      case 2:
      case 3:
        return Pause{};
      case 4:
      case 5:
        return Resume{};
      case 6:
        return random() % 20 == 0 ? Command(StopAndSave{}) : Command(SaveNow{});
      case 7:
        return SetLearningRate{static_cast<double>(random() % 3)};
      case 8:
        return RunSelfTest{};
      default:
        return SetPlan{plan::Plan{policy(), policy(), policy()}};
    }
  }
};

TEST_P(RandomCommands, TwoThousand_NeverBreakARuleAndAlwaysEnd) {
  world_.steps = 400;
  world_.validate_every = 7;
  // Every second seed meets a file that cannot be read, in each of its runs.
  const bool fails = GetParam() % 2 == 1;
  if (fails) world_.at_step[150] = [] { throw_error(ErrorKind::unusable_data); };
  start();
  std::mt19937 random(static_cast<std::mt19937::result_type>(GetParam()));
  for (int i = 0; i < 2000; ++i) {
    controller_->post(any_command(random));
    // Now and then the worker gets the time to do something.
    if (random() % 8 == 0) static_cast<void>(controller_->snapshot());
    if (random() % 64 == 0) std::this_thread::yield();
  }
  controller_->post(StopAndSave{});
  const auto last = controller_->wait_until_done();
  EXPECT_TRUE(last->state == RunState::finished || last->state == RunState::ready ||
              last->state == RunState::failed);
  if (!fails) {
    EXPECT_THAT(events_.of<Failed>(), IsEmpty());
  }

  RunState state = RunState::empty;
  std::int64_t step = 0;
  for (const Event& event : events_.events()) {
    if (const auto* const change = std::get_if<StateChanged>(&event)) {
      EXPECT_EQ(change->from, state);
      EXPECT_TRUE(std::any_of(kTransitions.begin(), kTransitions.end(), [&](const auto& row) {
        return row.from == change->from && row.to == change->to;
      }));
      state = change->to;
      if (state == RunState::preparing) step = 0;
    } else if (const auto* const done = std::get_if<StepDone>(&event)) {
      EXPECT_EQ(state, RunState::training);
      EXPECT_EQ(done->report.step, ++step);
    } else if (const auto* const validated = std::get_if<ValidationDone>(&event)) {
      EXPECT_EQ(state, RunState::validating);
      EXPECT_EQ(validated->report.step, step);
    }
  }
  EXPECT_EQ(state, last->state);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCommands, testing::Range(0, 5));

}  // namespace
}  // namespace headroom::run
