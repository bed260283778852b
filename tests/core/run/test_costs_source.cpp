#include "core/run/costs_source.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace headroom::run {
namespace {

base::Settings with_base_channels(std::int64_t base_channels) {
  base::Settings settings;
  settings.model.base_channels = base_channels;
  return settings;
}

plan::StepCosts costs_named(const char* stage) { return {.stages = {stage}}; }

class SourceOfCosts : public testing::Test {
 protected:
  void settle(CostsSource& source) {
    std::unique_lock lock(mutex_);
    while (source.is_looking()) {
      const std::int64_t seen = news_;
      lock.unlock();
      source.poll(run_);
      lock.lock();
      if (!source.is_looking()) return;
      ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(10), [&] { return news_ != seen; }));
    }
  }

  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::int64_t news_ = 0;
  RunSnapshot run_{};
  JobQueue jobs_{[this] {
    const std::lock_guard lock(mutex_);
    ++news_;
    changed_.notify_all();
  }};
};

TEST_F(SourceOfCosts, WhatIsStored_IsFoundForTheNetworkThatIsWanted) {
  CostsSource source(
      [](const base::Settings& settings) -> std::optional<plan::StepCosts> {
        if (settings.model.base_channels == 16) return costs_named("sixteen");
        return std::nullopt;
      },
      jobs_);
  source.want(with_base_channels(16));
  EXPECT_TRUE(source.is_looking());
  settle(source);
  ASSERT_NE(source.costs(), nullptr);
  EXPECT_EQ(source.costs()->stages.front(), "sixteen");
  source.want(with_base_channels(24));
  EXPECT_EQ(source.costs(), nullptr) << "those of another network do not count";
  settle(source);
  EXPECT_EQ(source.costs(), nullptr);
}

TEST_F(SourceOfCosts, WantedAgainWithAnotherTile_KeepsTheCosts) {
  int calls = 0;
  CostsSource source(
      [&](const base::Settings&) {
        ++calls;
        return costs_named("stored");
      },
      jobs_);
  base::Settings settings;
  source.want(settings);
  settle(source);
  const auto before = source.costs();
  settings.step.tile_width = 96;
  source.want(settings);
  EXPECT_FALSE(source.is_looking());
  EXPECT_EQ(source.costs(), before);
  EXPECT_EQ(calls, 1);
}

TEST_F(SourceOfCosts, Calibration_CountsForItsNetworkAlone) {
  CostsSource source({}, jobs_);
  source.want(with_base_channels(16));
  EXPECT_FALSE(source.is_looking());
  run_.costs = std::make_shared<const plan::StepCosts>(costs_named("calibrated"));
  run_.costs_settings = with_base_channels(24);
  EXPECT_FALSE(source.poll(run_));
  EXPECT_EQ(source.costs(), nullptr);
  source.want(with_base_channels(24));
  EXPECT_TRUE(source.poll(run_));
  EXPECT_EQ(source.costs(), run_.costs);
  EXPECT_FALSE(source.poll(run_)) << "nothing new";
}

TEST_F(SourceOfCosts, WhatWasNotThere_IsLookedForAgainWhenARunWasPrepared) {
  bool is_stored = false;
  CostsSource source(
      [&](const base::Settings&) -> std::optional<plan::StepCosts> {
        if (is_stored) return costs_named("measured by the run");
        return std::nullopt;
      },
      jobs_);
  source.want({});
  settle(source);
  EXPECT_EQ(source.costs(), nullptr);
  is_stored = true;
  run_.facts = std::make_shared<const SessionFacts>();
  EXPECT_TRUE(source.poll(run_));
  settle(source);
  ASSERT_NE(source.costs(), nullptr);
  EXPECT_FALSE(source.poll(run_));
  EXPECT_FALSE(source.is_looking()) << "once";
}

TEST_F(SourceOfCosts, StoredOneThatCannotBeRead_CountsAsNone) {
  CostsSource source(
      [](const base::Settings&) -> std::optional<plan::StepCosts> {
        throw std::runtime_error("damaged");
      },
      jobs_);
  source.want({});
  settle(source);
  EXPECT_EQ(source.costs(), nullptr);
}

}  // namespace
}  // namespace headroom::run
