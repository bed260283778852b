#include "core/run/plan_forecaster.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <random>

#include "tests/core/plan/synthetic_costs.hpp"
#include "tests/core/run/two_stage_costs.hpp"

namespace headroom::run {
namespace {

using plan::Policy;

const plan::Plan kKeepKeep = {Policy::keep, Policy::keep};
const plan::Plan kFullKeep = {Policy::full, Policy::keep};

class Forecaster : public testing::Test {
 protected:
  ForecastQuestion question(std::int64_t batch, plan::Plan plan) const {
    return {.costs = costs_,
            .shape = {.batch = batch, .height = 10, .width = 10},
            .limits = {.budget_bytes = 400, .reserve_bytes = 0, .max_side = 512},
            .plans = {std::move(plan)}};
  }

  /// Until everything that is due beside `pace` was answered.
  void settle(ForecastPace pace = ForecastPace::at_once) {
    std::int64_t seen = 0;
    while (true) {
      forecaster_.poll(pace);
      std::unique_lock lock(mutex_);
      if (!is_computing()) return;
      ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(10), [&] { return news_ != seen; }));
      seen = news_;
    }
  }
  [[nodiscard]] bool is_computing() const { return forecaster_.is_computing(); }

  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::int64_t news_ = 0;
  std::chrono::milliseconds now_{1'000'000};
  SharedCosts costs_ = tests::two_stage_costs();
  PlanForecaster forecaster_{[this] {
                               const std::lock_guard lock(mutex_);
                               ++news_;
                               changed_.notify_all();
                             },
                             [this] { return std::chrono::steady_clock::time_point(now_); }};
};

TEST_F(Forecaster, WithoutAQuestion_HasNothingToDo) {
  EXPECT_FALSE(forecaster_.poll(ForecastPace::at_once));
  EXPECT_FALSE(forecaster_.is_busy());
  EXPECT_EQ(forecaster_.plans(), nullptr);
}

TEST_F(Forecaster, Asked_AnswersPlansAndMap) {
  forecaster_.ask(question(1, kFullKeep));
  EXPECT_TRUE(forecaster_.is_busy());
  settle();
  EXPECT_FALSE(forecaster_.is_busy());
  ASSERT_NE(forecaster_.plans(), nullptr);
  EXPECT_EQ(forecaster_.plans()->asked()->peak_total_bytes, 300);
  ASSERT_NE(forecaster_.fits(), nullptr);
  EXPECT_EQ(forecaster_.fits()->map.batches.size(), 8U);
}

TEST_F(Forecaster, AskedTheSameAgain_ComputesNothing) {
  forecaster_.ask(question(1, kFullKeep));
  settle();
  const auto plans = forecaster_.plans();
  forecaster_.ask(question(1, kFullKeep));
  EXPECT_FALSE(forecaster_.is_busy());
  settle();
  EXPECT_EQ(forecaster_.plans(), plans);
}

TEST_F(Forecaster, WithAnotherPlan_KeepsMapAndCurve) {
  forecaster_.ask(question(1, kFullKeep));
  settle();
  const auto fits = forecaster_.fits();
  const auto curve = forecaster_.plans()->curve;
  forecaster_.ask(question(1, kKeepKeep));
  settle();
  EXPECT_EQ(forecaster_.fits(), fits);
  EXPECT_EQ(forecaster_.plans()->curve, curve);
  EXPECT_EQ(forecaster_.plans()->asked()->peak_total_bytes, 600);
}

TEST_F(Forecaster, QuestionsInARow_AreAnsweredWithTheLast) {
  for (std::int64_t batch = 1; batch <= 9; ++batch) {
    forecaster_.ask(question(batch, kKeepKeep));
    forecaster_.poll(ForecastPace::at_once);
  }
  settle();
  EXPECT_EQ(forecaster_.plans()->question.shape.batch, 9);
  EXPECT_EQ(forecaster_.plans()->asked()->peak_total_bytes, 9 * 600);
  EXPECT_EQ(forecaster_.fits()->question.shape.batch, 9);
}

TEST_F(Forecaster, ReturnedToWhatWasGivenUp_AnswersIt) {
  forecaster_.ask(question(1, kKeepKeep));
  forecaster_.poll(ForecastPace::at_once);
  forecaster_.ask(question(2, kKeepKeep));
  forecaster_.poll(ForecastPace::at_once);
  forecaster_.ask(question(1, kKeepKeep));
  settle();
  EXPECT_EQ(forecaster_.plans()->question.shape.batch, 1);
  EXPECT_EQ(forecaster_.fits()->question.shape.batch, 1);
}

TEST_F(Forecaster, OtherCosts_LetGoOfTheAnswersToThoseBefore) {
  forecaster_.ask(question(1, kFullKeep));
  settle();
  costs_ = tests::two_stage_costs();
  forecaster_.ask(question(1, kFullKeep));
  EXPECT_EQ(forecaster_.plans(), nullptr);
  EXPECT_EQ(forecaster_.fits(), nullptr);
  forecaster_.ask(std::nullopt);
  EXPECT_FALSE(forecaster_.is_busy());
}

TEST_F(Forecaster, BesideATraining_WaitsBetweenTwoAnswers) {
  forecaster_.ask(question(1, kFullKeep));
  settle(ForecastPace::beside_training);
  forecaster_.ask(question(2, kFullKeep));
  now_ += PlanForecaster::kLeastIntervalBesideTraining - std::chrono::milliseconds(1);
  forecaster_.poll(ForecastPace::beside_training);
  EXPECT_FALSE(is_computing());
  EXPECT_TRUE(forecaster_.is_busy());
  now_ += std::chrono::milliseconds(1);
  settle(ForecastPace::beside_training);
  EXPECT_EQ(forecaster_.plans()->asked()->peak_total_bytes, 600);
  EXPECT_EQ(forecaster_.fits()->question.shape.batch, 2);
}

TEST_F(Forecaster, BesideATraining_AnotherPlanIsAnsweredAtOnce) {
  forecaster_.ask(question(1, kFullKeep));
  settle(ForecastPace::beside_training);
  forecaster_.ask(question(1, kKeepKeep));
  settle(ForecastPace::beside_training);
  EXPECT_EQ(forecaster_.plans()->asked()->peak_total_bytes, 600);
}

TEST_F(Forecaster, OfCostsThatCannotBeComputedWith_SaysWhy) {
  plan::StepCosts broken = *tests::two_stage_costs();
  broken.policies.clear();
  costs_ = std::make_shared<const plan::StepCosts>(std::move(broken));
  forecaster_.ask(question(1, kFullKeep));
  settle();
  EXPECT_EQ(forecaster_.plans(), nullptr);
  EXPECT_FALSE(forecaster_.problem().empty());
  EXPECT_FALSE(forecaster_.is_busy()) << "it is not tried again and again";
}

}  // namespace
}  // namespace headroom::run
