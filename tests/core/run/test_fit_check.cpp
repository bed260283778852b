#include "core/run/fit_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/run/controller_fixture.hpp"
#include "tests/core/run/two_stage_costs.hpp"

namespace headroom::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class FitCheckOfTheController : public ControllerWithFake {
 protected:
  FitCheckOfTheController() {
    check_.cell.shape = {.batch = 2, .height = 64, .width = 96};
    check_.cell.cheapest = plan::PlanChoice{.plan = {plan::Policy::full, plan::Policy::keep}};
    check_.limits.budget_bytes = 4096;
    check_.costs = tests::two_stage_costs();
  }

  void make_controller(FitCheckFunction check_fit) {
    ControllerOptions options = this->options();
    options.check_fit = std::move(check_fit);
    controller_ = std::make_unique<RunController>(std::move(options));
    controller_->post(Configure{request_});
  }

  FitCheckRequest check_{};
};

TEST_F(FitCheckOfTheController, Done_IsPublishedWithWhatItIsOf) {
  make_controller([](const FitCheckRequest&, std::stop_token) { return std::optional(3000); });
  controller_->post(CheckFit{check_});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_FALSE(snapshot->checked_fit);
  ASSERT_EQ(snapshot->fit_checks.size(), 1U);
  const FitCheckReport& report = snapshot->fit_checks[0];
  EXPECT_EQ(report.shape, check_.cell.shape);
  EXPECT_EQ(report.plan, check_.cell.cheapest->plan);
  EXPECT_EQ(report.peak_bytes, 3000);
  EXPECT_EQ(report.budget_bytes, 4096);
  EXPECT_EQ(report.cost_key, cost_key(check_.settings));
  EXPECT_THAT(snapshot->log.back().text, HasSubstr("batch 2 of 64 x 96 fits"));
}

TEST_F(FitCheckOfTheController, StepsThatDoNotFit_AreAReportTooAndOutliveTheNextRun) {
  make_controller(
      [](const FitCheckRequest&, std::stop_token) { return std::optional<std::int64_t>(); });
  controller_->post(CheckFit{check_});
  controller_->post(StartRun{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_EQ(snapshot->state, RunState::finished);
  ASSERT_EQ(snapshot->fit_checks.size(), 1U);
  EXPECT_FALSE(snapshot->fit_checks[0].peak_bytes);
}

TEST_F(FitCheckOfTheController, Cancelled_LeavesNoReport) {
  world_.block("check");
  make_controller([this](const FitCheckRequest&, std::stop_token stop) {
    world_.enter("check", stop);
    return std::optional<std::int64_t>(1);
  });
  controller_->post(CheckFit{check_});
  world_.wait_until_inside("check");
  EXPECT_EQ(controller_->snapshot()->checked_fit, check_.cell.shape);
  controller_->post(CancelMeasurement{});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_FALSE(snapshot->checked_fit);
  EXPECT_THAT(snapshot->fit_checks, IsEmpty());
  EXPECT_EQ(world_.count("interrupted"), 1);
}

TEST_F(FitCheckOfTheController, ThatThrows_SaysWhyInTheLog) {
  make_controller([](const FitCheckRequest&, std::stop_token) -> std::optional<std::int64_t> {
    throw_error(base::ErrorKind::usage);
  });
  controller_->post(CheckFit{check_});
  const auto snapshot = controller_->wait_until_done();
  EXPECT_FALSE(snapshot->checked_fit);
  EXPECT_EQ(snapshot->log.back().severity, base::Severity::error);
  EXPECT_EQ(snapshot->state, RunState::ready);
}

TEST_F(FitCheckOfTheController, OfASizeThatDoesNotFit_IsRefused) {
  make_controller([](const FitCheckRequest&, std::stop_token) { return std::optional(1); });
  check_.cell.cheapest.reset();
  controller_->post(CheckFit{check_});
  static_cast<void>(controller_->wait_until_done());
  ASSERT_EQ(events_.of<CommandRefused>().size(), 1U);
  EXPECT_THAT(events_.of<CommandRefused>()[0].reason, HasSubstr("predicted to fit"));
}

}  // namespace
}  // namespace headroom::run
