#include "core/run/jobs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

using testing::ElementsAre;

/// Waits inside a job until it is told to stop.
void wait_for_stop(const JobContext& context) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, context.stop(), [] { return false; });
}

TEST(JobQueue, Result_TravelsAsAValue) {
  JobQueue queue;
  Job<std::string> job =
      queue.submit(JobPriority::normal, [](JobContext&) { return std::string("done"); });
  EXPECT_EQ(job.take(), "done");
}

TEST(JobQueue, News_AreToldAtEachReportAndOnceTheResultIsThere) {
  std::optional<Job<int>> job;
  std::latch submitted(1);
  std::latch told(2);
  bool was_done = false;
  JobQueue queue([&] {
    submitted.wait();
    was_done = job->is_done();
    told.count_down();
  });
  job.emplace(queue.submit(JobPriority::normal, [](JobContext& context) {
    context.report({.share = 0.5});
    return 3;
  }));
  submitted.count_down();
  told.wait();
  EXPECT_TRUE(was_done);
  EXPECT_EQ(job->take(), 3);
}

TEST(JobQueue, MoveOnlyWorkAndResult_AreFine) {
  JobQueue queue;
  auto owned = std::make_unique<int>(7);
  auto job = queue.submit(JobPriority::normal, [owned = std::move(owned)](JobContext&) mutable {
    return std::move(owned);
  });
  EXPECT_EQ(*job.take(), 7);
}

TEST(JobQueue, Error_ComesOutOfTake) {
  JobQueue queue;
  auto job =
      queue.submit(JobPriority::normal, [](JobContext&) { throw std::runtime_error("bad"); });
  EXPECT_THROW(job.take(), std::runtime_error);
}

TEST(JobQueue, WaitingJobs_RunByPriorityThenInOrder) {
  JobQueue queue;
  std::latch go(1);
  auto gate = queue.submit(JobPriority::high, [&](JobContext&) { go.wait(); });
  std::vector<std::string> order;  // only the job thread writes
  std::vector<Job<void>> jobs;
  const auto add = [&](JobPriority priority, const char* name) {
    jobs.push_back(
        queue.submit(priority, [&order, name](JobContext&) { order.emplace_back(name); }));
  };
  add(JobPriority::low, "low 1");
  add(JobPriority::normal, "normal 1");
  add(JobPriority::high, "high");
  add(JobPriority::normal, "normal 2");
  add(JobPriority::low, "low 2");
  go.count_down();
  gate.take();
  for (Job<void>& job : jobs) job.take();
  EXPECT_THAT(order, ElementsAre("high", "normal 1", "normal 2", "low 1", "low 2"));
}

TEST(JobQueue, CancelledWhileRunning_IsAskedToStop) {
  JobQueue queue;
  std::latch inside(1);
  auto job = queue.submit(JobPriority::normal, [&](JobContext& context) {
    inside.count_down();
    wait_for_stop(context);
    check_not_cancelled(context);
  });
  inside.wait();
  EXPECT_FALSE(job.is_done());
  job.cancel();
  const auto error = tests::thrown_error([&] { job.take(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

TEST(JobQueue, CancelledWhileWaiting_NeverBegins) {
  JobQueue queue;
  std::latch go(1);
  auto gate = queue.submit(JobPriority::high, [&](JobContext&) { go.wait(); });
  bool began = false;
  auto job = queue.submit(JobPriority::normal, [&](JobContext&) { began = true; });
  job.cancel();
  go.count_down();
  EXPECT_THROW(job.take(), base::Error);
  EXPECT_FALSE(began);
}

TEST(JobQueue, Progress_CanBeReadWhileItRuns) {
  JobQueue queue;
  std::latch reported(1);
  std::latch go(1);
  auto job = queue.submit(JobPriority::normal, [&](JobContext& context) {
    context.report({.share = 0.5, .text = "half"});
    reported.count_down();
    go.wait();
  });
  reported.wait();
  EXPECT_EQ(job.progress().share, 0.5);
  EXPECT_EQ(job.progress().text, "half");
  go.count_down();
  job.take();
}

TEST(JobQueue, Destroyed_CancelsWhatRunsAndWhatWaits) {
  std::latch inside(1);
  std::optional<Job<void>> running;
  std::optional<Job<int>> waiting;
  {
    JobQueue queue;
    running = queue.submit(JobPriority::normal, [&](JobContext& context) {
      inside.count_down();
      wait_for_stop(context);
      check_not_cancelled(context);
    });
    waiting = queue.submit(JobPriority::normal, [](JobContext&) { return 1; });
    inside.wait();
  }
  EXPECT_THROW(running->take(), base::Error);
  EXPECT_THROW(static_cast<void>(waiting->take()), base::Error);
}

}  // namespace
}  // namespace headroom::run
