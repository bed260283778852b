#include "core/run/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "tests/core/run/controller_fixture.hpp"

namespace headroom::run {
namespace {

using base::ErrorKind;
using testing::HasSubstr;
using testing::IsEmpty;
using State = CalibrationStatus::State;

class CalibrationOfTheController : public ControllerWithFake {
 protected:
  void make_controller(CalibrationFunction calibrate) {
    ControllerOptions options = this->options();
    options.calibrate = std::move(calibrate);
    controller_ = std::make_unique<RunController>(std::move(options));
    controller_->post(Configure{request_});
  }

  /// Goes on reporting until it is released or stopped.
  CalibrationFunction blocking() {
    world_.block("calibration");
    return [this](const base::Settings&, const CalibrationProgress& report, std::stop_token stop) {
      world_.enter("calibration", stop);
      report(7);
      return plan::StepCosts{.stages = {"enc1"}};
    };
  }
};

TEST_F(CalibrationOfTheController, Done_IsPublishedWithTheSettingsItIsOf) {
  std::thread::id ran_on;
  make_controller(
      [&](const base::Settings& settings, const CalibrationProgress& report, std::stop_token) {
        ran_on = std::this_thread::get_id();
        report(1);
        report(2);
        return plan::StepCosts{.stages = {settings.model.model}};
      });
  base::Settings settings;
  settings.model.base_channels = 24;
  controller_->post(Calibrate{settings});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_EQ(snapshot->state, RunState::ready);
  ASSERT_TRUE(snapshot->calibration);
  EXPECT_EQ(snapshot->calibration->state, State::done);
  EXPECT_EQ(snapshot->calibration->steps, 2);
  ASSERT_TRUE(snapshot->costs);
  EXPECT_EQ(snapshot->costs->stages, std::vector<std::string>{"unet"});
  EXPECT_EQ(snapshot->costs_settings.model.base_channels, 24);
}

TEST_F(CalibrationOfTheController, Cancelled_LeavesTheCostsBefore) {
  make_controller([this, is_first = true](const base::Settings&, const CalibrationProgress&,
                                          std::stop_token stop) mutable {
    if (!std::exchange(is_first, false)) world_.enter("calibration", stop);
    return plan::StepCosts{.stages = {"enc1"}};
  });
  controller_->post(Calibrate{});
  const auto first = controller_->wait_until_done();
  world_.block("calibration");
  controller_->post(Calibrate{});
  world_.wait_until_inside("calibration");
  EXPECT_TRUE(controller_->snapshot()->calibration->is_running());
  controller_->post(CancelMeasurement{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->calibration->state, State::cancelled);
  EXPECT_EQ(snapshot->costs, first->costs);
  EXPECT_FALSE(snapshot->error);
}

TEST_F(CalibrationOfTheController, CancelledBeforeItBegan_EndsAtOnce) {
  ControllerOptions options = this->options();
  options.calibrate = blocking();
  options.self_test = [this](std::stop_token stop) {
    world_.enter("self-test", stop);
    return SelfTestReport{};
  };
  world_.block("self-test");
  controller_ = std::make_unique<RunController>(std::move(options));
  controller_->post(Configure{request_});
  controller_->post(RunSelfTest{});
  world_.wait_until_inside("self-test");
  controller_->post(Calibrate{});
  controller_->post(CancelMeasurement{});
  world_.release("self-test");
  const auto snapshot = controller_->wait_until_done();
  ASSERT_TRUE(snapshot->calibration);
  EXPECT_EQ(snapshot->calibration->state, State::cancelled);
}

TEST_F(CalibrationOfTheController, ThatThrows_SaysWhyAndARunCanStart) {
  for (const bool is_own_error : {true, false}) {
    make_controller([is_own_error](const base::Settings&, const CalibrationProgress&,
                                   std::stop_token) -> plan::StepCosts {
      if (is_own_error) throw_error(ErrorKind::out_of_memory);
      throw std::runtime_error("tensor trouble");
    });
    controller_->post(Calibrate{});
    const auto snapshot = controller_->wait_until_done();
    EXPECT_EQ(snapshot->calibration->state, State::failed);
    EXPECT_THAT(snapshot->calibration->problem.subject, HasSubstr(is_own_error ? "b" : "internal"));
    EXPECT_EQ(snapshot->costs, nullptr);
    controller_->post(StartRun{});
    EXPECT_EQ(controller_->wait_until_done()->outcome, Outcome::completed);
  }
}

TEST_F(CalibrationOfTheController, RunThatIsStarted_TakesItsPlace) {
  make_controller(blocking());
  controller_->post(Calibrate{});
  world_.wait_until_inside("calibration");
  controller_->post(StartRun{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->outcome, Outcome::completed);
  EXPECT_EQ(snapshot->calibration->state, State::cancelled);
  EXPECT_EQ(world_.count("interrupted"), 1);
}

TEST_F(CalibrationOfTheController, SettingsChangedMeanwhile_AreTakenBeforeItEnds) {
  make_controller(blocking());
  controller_->post(Calibrate{});
  world_.wait_until_inside("calibration");
  RunRequest changed = request_;
  changed.settings.step.batch = 5;
  controller_->post(Configure{changed});
  world_.release("calibration");
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->request->settings.step.batch, 5);
  EXPECT_EQ(snapshot->calibration->state, State::done);
  // In this order: what was configured was not kept waiting for the end.
  std::vector<std::string> order;
  for (const Event& event : events_.events()) {
    if (std::holds_alternative<Configured>(event)) order.emplace_back("configured");
    if (std::holds_alternative<CalibrationEnded>(event)) order.emplace_back("ended");
  }
  EXPECT_EQ(order, (std::vector<std::string>{"configured", "configured", "ended"}));
}

TEST_F(CalibrationOfTheController, DuringARun_IsRefused) {
  std::int64_t calls = 0;
  ControllerOptions options = this->options();
  options.calibrate = [&](const base::Settings&, const CalibrationProgress&, std::stop_token) {
    ++calls;
    return plan::StepCosts{};
  };
  world_.block("step 2");
  start(std::move(options));
  world_.wait_until_inside("step 2");
  controller_->post(Calibrate{});
  world_.release("step 2");
  static_cast<void>(controller_->wait_until_done());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(events_.of<CommandRefused>().at(0).reason,
            refusal(RunState::training, Action::calibrate));
}

TEST_F(CalibrationOfTheController, WithoutAFunction_IsRefusedWithAReason) {
  make_controller({});
  controller_->post(Calibrate{});
  EXPECT_FALSE(controller_->wait_until_done()->calibration);
  EXPECT_EQ(events_.of<CommandRefused>().at(0).action, Action::calibrate);
}

TEST_F(CalibrationOfTheController, ClosedInside_IsInterrupted) {
  make_controller(blocking());
  controller_->post(Calibrate{});
  world_.wait_until_inside("calibration");
  controller_.reset();
  EXPECT_EQ(world_.count("interrupted"), 1);
}

TEST_F(CalibrationOfTheController, Costs_OutliveRuns) {
  make_controller([](const base::Settings&, const CalibrationProgress&, std::stop_token) {
    return plan::StepCosts{.stages = {"enc1"}};
  });
  controller_->post(Calibrate{});
  controller_->post(StartRun{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->state, RunState::finished);
  EXPECT_TRUE(snapshot->costs);
}

TEST(CostKey, OfSettingsThatChangeNoCosts_IsTheSame) {
  base::Settings settings, other;
  other.step.tile_width = 96;
  other.step.batch = 7;
  other.step.plan = "full";
  other.step.budget_bytes = 1 << 30;
  other.step.seed = 3;
  other.train.steps = 9;
  other.train.learning_rate = 0.5;
  other.data.split = "0.5";
  EXPECT_EQ(cost_key(settings), cost_key(other));
}

TEST(CostKey, OfSettingsThatChangeCosts_Differs) {
  const base::Settings settings;
  const auto differs = [&](auto change) {
    base::Settings other = settings;
    change(other);
    return cost_key(other) != cost_key(settings);
  };
  EXPECT_TRUE(differs([](base::Settings& other) { other.model.base_channels = 16; }));
  EXPECT_TRUE(differs([](base::Settings& other) { other.model.classes = 4; }));
  EXPECT_TRUE(differs([](base::Settings& other) { other.step.accumulate = 2; }));
  EXPECT_TRUE(differs([](base::Settings& other) { other.step.precision = base::Precision::bf16; }));
  EXPECT_TRUE(
      differs([](base::Settings& other) { other.train.optimizer = base::OptimizerKind::sgd; }));
}

TEST(SettingsOfCosts, TakeFromTheDataWhatTheyLeaveToIt) {
  base::DatasetSummary dataset{.channels = 4};
  dataset.classes.resize(3);
  const base::Settings found = settings_of_costs({}, dataset);
  EXPECT_EQ(found.model.channels, 4);
  EXPECT_EQ(found.model.classes, 3);
  base::Settings given;
  given.model.channels = 1;
  given.model.classes = 2;
  const base::Settings kept = settings_of_costs(given, dataset);
  EXPECT_EQ(kept.model.channels, 1);
  EXPECT_EQ(kept.model.classes, 2);
}

}  // namespace
}  // namespace headroom::run
