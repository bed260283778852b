#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <new>
#include <stdexcept>

#include "core/base/io_error.hpp"
#include "tests/core/run/controller_fixture.hpp"

namespace headroom::run {
namespace {

using base::ErrorKind;
using testing::ElementsAre;
using testing::HasSubstr;

using FailingRun = ControllerWithFake;

TEST_F(FailingRun, BrokenFileInAStep_FailsWithTheStateSavedAndCanStartAgain) {
  world_.at_step[4] = [] { throw_error(ErrorKind::unusable_data); };
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->state, RunState::failed);
  ASSERT_TRUE(failed->error);
  EXPECT_EQ(failed->error->kind, ErrorKind::unusable_data);
  EXPECT_EQ(failed->error->error.subject, "b");
  EXPECT_EQ(failed->error->step, 3);
  EXPECT_EQ(failed->error->saved_step, 3);
  EXPECT_EQ(world_.count("save"), 1);

  world_.at_step.clear();
  controller_->post(StartRun{});
  const auto again = controller_->wait_until_done();
  EXPECT_EQ(again->outcome, Outcome::completed);
  EXPECT_FALSE(again->error);
  EXPECT_EQ(again->history.loss.buckets().size(), 10U);
}

TEST_F(FailingRun, OutOfMemory_FailsAsSuchWithTheStateSaved) {
  world_.at_step[3] = [] { throw std::bad_alloc(); };
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::out_of_memory);
  EXPECT_EQ(failed->error->saved_step, 2);
}

/// Throws out_of_memory at the first `times` calls.
Deed out_of_memory_first(int times) {
  return [left = times]() mutable {
    if (left-- > 0) throw_error(ErrorKind::out_of_memory);
  };
}

TEST_F(FailingRun, OutOfMemoryWithAPlanLeft_RepeatsTheStepUnderIt) {
  const plan::Plan light(3, plan::Policy::light), full(3, plan::Policy::full);
  world_.memory_plans = {light, full};
  world_.at_step[3] = out_of_memory_first(2);
  start();
  const auto done = controller_->wait_until_done();
  EXPECT_EQ(done->outcome, Outcome::completed);
  EXPECT_EQ(world_.weights, expected_weights(10));
  EXPECT_THAT(steps_done(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  ASSERT_EQ(done->memory_reliefs.size(), 2U);
  EXPECT_EQ(done->memory_reliefs[1].before.plan, light);
  EXPECT_EQ(done->requested_plan, full);
  const std::vector<PlanApplied> applied = events_.of<PlanApplied>();
  ASSERT_EQ(applied.size(), 2U);
  EXPECT_EQ(applied[0].cause, PlanCause::asked);
  EXPECT_EQ(applied[1].step, 3);
  EXPECT_EQ(applied[1].plan, full);
  EXPECT_EQ(applied[1].cause, PlanCause::out_of_memory);
}

TEST_F(FailingRun, OutOfMemoryWithNothingLeft_FailsWithTheStateBeforeIt) {
  world_.memory_plans = {plan::Plan(3, plan::Policy::full)};
  world_.at_step[4] = out_of_memory_first(100);
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::out_of_memory);
  EXPECT_EQ(failed->error->saved_step, 3);
  EXPECT_EQ(failed->memory_reliefs.size(), 1U);
}

TEST_F(FailingRun, OutOfMemoryInValidationAndSave_RepeatsThem) {
  world_.memory_plans.resize(2);
  world_.at_validate = out_of_memory_first(1);
  world_.at_save = out_of_memory_first(1);
  start();
  const auto done = controller_->wait_until_done();
  EXPECT_EQ(done->outcome, Outcome::completed);
  EXPECT_THAT(validated_steps(), ElementsAre(5, 10));
  EXPECT_EQ(world_.count("relieve validation"), 1);
  EXPECT_EQ(world_.count("relieve save"), 1);
  EXPECT_EQ(done->last_save->step, 10);
}

TEST_F(FailingRun, StopBetweenTwoAttempts_IsHeard) {
  world_.memory_plans.assign(1000, plan::Plan(3, plan::Policy::full));
  world_.at_step[3] = [this] {
    controller_->post(StopAndSave{});
    throw_error(ErrorKind::out_of_memory);
  };
  start();
  const auto stopped = controller_->wait_until_done();
  EXPECT_EQ(stopped->outcome, Outcome::stopped);
  EXPECT_EQ(stopped->steps_done, 2);
}

TEST_F(FailingRun, InternalError_FailsWithoutOverwritingTheSavedState) {
  world_.at_step[3] = [] { throw std::runtime_error("tensor trouble"); };
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::internal);
  EXPECT_EQ(failed->error->error.detail, "tensor trouble");
  EXPECT_EQ(failed->error->saved_step, 0);
  EXPECT_EQ(world_.count("save"), 0);
}

TEST_F(FailingRun, InterruptedWithoutAStop_IsAFailure) {
  world_.at_step[3] = [] { throw_error(ErrorKind::interrupted); };
  start();
  EXPECT_EQ(controller_->wait_until_done()->error->kind, ErrorKind::interrupted);
}

TEST_F(FailingRun, FailureInPreparing_SavesNothing) {
  world_.at_prepare = [] { throw_error(ErrorKind::unusable_data); };
  start();
  EXPECT_EQ(controller_->wait_until_done()->state, RunState::failed);
  EXPECT_EQ(world_.count("save"), 0);
}

TEST_F(FailingRun, FactoryThatThrows_FailsTheRun) {
  ControllerOptions options = this->options();
  options.make_session = [](const RunRequest&, const SessionLog&) -> RunParts {
    throw_error(ErrorKind::usage);
  };
  start(std::move(options));
  EXPECT_EQ(controller_->wait_until_done()->error->kind, ErrorKind::usage);
}

TEST_F(FailingRun, SaveThatFails_FailsTheRunAndIsNotTriedAgain) {
  world_.at_save = [] { throw base::io_error("saving", "model", ENOSPC); };
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::io);
  EXPECT_EQ(failed->error->saved_step, 0);
  EXPECT_EQ(world_.count("save"), 1);
}

TEST_F(FailingRun, SecondFailureWhileSaving_IsLogged) {
  world_.at_step[3] = [] { throw_error(ErrorKind::unusable_data); };
  world_.at_save = [] { throw base::io_error("saving", "model", ENOSPC); };
  start();
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::unusable_data);
  EXPECT_THAT(failed->log,
              testing::Contains(testing::Field(&LogEntry::text, HasSubstr("No space"))));
}

/// Throws at the `n`-th event of a kind.
class FailingSink : public EventSink {
 public:
  explicit FailingSink(std::function<bool(const Event&)> is_bad) : is_bad_(std::move(is_bad)) {}

 private:
  void do_handle(const Event& event) override {
    if (is_bad_(event)) throw base::io_error("writing", "steps.csv", ENOSPC);
  }
  std::function<bool(const Event&)> is_bad_;
};

TEST_F(FailingRun, SinkThatFails_FailsTheRunAndOthersHearOfIt) {
  ControllerOptions options = this->options();
  options.sinks.insert(options.sinks.begin(), std::make_unique<FailingSink>([](const Event& event) {
                         const auto* const done = std::get_if<StepDone>(&event);
                         return done != nullptr && done->report.step == 3;
                       }));
  start(std::move(options));
  const auto failed = controller_->wait_until_done();
  EXPECT_EQ(failed->error->kind, ErrorKind::io);
  EXPECT_EQ(failed->error->saved_step, 3);
  EXPECT_EQ(run_events_.of<Failed>().size(), 1U);
  EXPECT_THAT(steps_done(), ElementsAre(1, 2, 3));
}

TEST_F(FailingRun, SinkThatFailsAtTheVeryEnd_LeavesTheRunFinished) {
  ControllerOptions options = this->options();
  options.sinks.push_back(std::make_unique<FailingSink>([](const Event& event) {
    const auto* const change = std::get_if<StateChanged>(&event);
    return change != nullptr && change->to == RunState::finished;
  }));
  start(std::move(options));
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->state, RunState::finished);
  EXPECT_EQ(snapshot->log.back().severity, base::Severity::error);
}

}  // namespace
}  // namespace headroom::run
