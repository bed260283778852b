#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "tests/core/run/controller_fixture.hpp"

namespace headroom::run {
namespace {

using base::ErrorKind;
using testing::HasSubstr;
using testing::IsEmpty;

class SelfTestOfTheController : public ControllerWithFake {
 protected:
  using Function = std::function<SelfTestReport(std::stop_token)>;

  void make_controller(Function self_test) {
    ControllerOptions options = this->options();
    options.self_test = std::move(self_test);
    controller_ = std::make_unique<RunController>(std::move(options));
  }
};

TEST_F(SelfTestOfTheController, Asked_RunsOnTheWorkerAndItsReportIsPublished) {
  std::thread::id ran_on;
  make_controller([&](std::stop_token) {
    ran_on = std::this_thread::get_id();
    return SelfTestReport{.plans = 32, .equal = 32, .seconds = 0.5};
  });
  controller_->post(RunSelfTest{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_EQ(snapshot->state, RunState::empty);
  ASSERT_TRUE(snapshot->self_test);
  EXPECT_EQ(snapshot->self_test->equal, 32);
  EXPECT_TRUE(snapshot->self_test->has_passed());
}

TEST_F(SelfTestOfTheController, WithoutAFunction_IsRefusedWithAReason) {
  make_controller({});
  controller_->post(RunSelfTest{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_FALSE(snapshot->self_test);
  ASSERT_EQ(events_.of<CommandRefused>().size(), 1U);
  EXPECT_EQ(events_.of<CommandRefused>()[0].action, Action::self_test);
  EXPECT_THAT(events_.of<CommandRefused>()[0].reason, HasSubstr("no self-test"));
}

TEST_F(SelfTestOfTheController, ThatThrows_IsAReportWithAProblemAndARunCanStart) {
  for (const bool is_own_error : {true, false}) {
    make_controller([is_own_error](std::stop_token) -> SelfTestReport {
      if (is_own_error) throw_error(ErrorKind::out_of_memory);
      throw std::runtime_error("tensor trouble");
    });
    controller_->post(RunSelfTest{});
    const auto tested = controller_->wait_until_done();
    ASSERT_TRUE(tested->self_test);
    EXPECT_FALSE(tested->self_test->has_passed());
    EXPECT_THAT(tested->self_test->problem, HasSubstr(is_own_error ? "a: b. c" : "tensor trouble"));
    EXPECT_FALSE(tested->error);
    controller_->post(Configure{request_});
    controller_->post(StartRun{});
    const auto finished = controller_->wait_until_done();
    EXPECT_EQ(finished->outcome, Outcome::completed);
    EXPECT_TRUE(finished->self_test);
    EXPECT_THAT(events_.of<Failed>(), IsEmpty());
  }
}

TEST_F(SelfTestOfTheController, DuringARun_IsRefused) {
  std::int64_t calls = 0;
  ControllerOptions options = this->options();
  options.self_test = [&](std::stop_token) {
    ++calls;
    return SelfTestReport{};
  };
  world_.block("step 2");
  start(std::move(options));
  world_.wait_until_inside("step 2");
  controller_->post(RunSelfTest{});
  world_.release("step 2");
  static_cast<void>(controller_->wait_until_done());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(events_.of<CommandRefused>().at(0).reason,
            refusal(RunState::training, Action::self_test));
}

TEST_F(SelfTestOfTheController, ClosedInside_IsInterruptedAndTellsNothing) {
  world_.block("self-test");
  make_controller([this](std::stop_token stop) {
    world_.enter("self-test", stop);
    return SelfTestReport{};
  });
  controller_->post(RunSelfTest{});
  world_.wait_until_inside("self-test");
  controller_.reset();
  EXPECT_EQ(world_.count("interrupted"), 1);
  EXPECT_THAT(events_.of<SelfTestDone>(), IsEmpty());
}

TEST_F(SelfTestOfTheController, RunAskedForMeanwhile_StartsAfterIt) {
  world_.block("self-test");
  make_controller([this](std::stop_token stop) {
    world_.enter("self-test", stop);
    return SelfTestReport{.plans = 1, .equal = 1};
  });
  controller_->post(RunSelfTest{});
  world_.wait_until_inside("self-test");
  controller_->post(Configure{request_});
  controller_->post(StartRun{});
  world_.release("self-test");
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->outcome, Outcome::completed);
  EXPECT_TRUE(snapshot->self_test.value().has_passed());
}

}  // namespace
}  // namespace headroom::run
