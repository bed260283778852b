#include "core/data/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

TEST(ParallelFor, EveryItem_IsWorkedOnOnce) {
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(1000, {.threads = 4},
               [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i)]; });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

TEST(ParallelFor, NoItems_ReportsZero) {
  std::int64_t reported = -1;
  parallel_for(0, {.threads = 4, .progress = [&](std::int64_t done) { reported = done; }},
               [](std::int64_t) {});
  EXPECT_EQ(reported, 0);
}

TEST(ParallelFor, Progress_ComesInTheCallersThreadAndEndsWithAll) {
  std::int64_t last = 0;
  const auto caller = std::this_thread::get_id();
  parallel_for(50,
               {.threads = 3,
                .progress =
                    [&](std::int64_t done) {
                      EXPECT_EQ(std::this_thread::get_id(), caller);
                      EXPECT_GE(done, last);
                      last = done;
                    }},
               [](std::int64_t) {});
  EXPECT_EQ(last, 50);
}

TEST(ParallelFor, ItemThrows_SameExceptionReachesTheCaller) {
  EXPECT_THROW(parallel_for(20, {.threads = 2},
                            [](std::int64_t i) {
                              if (i == 3) throw std::out_of_range("3");
                            }),
               std::out_of_range);
}

TEST(ParallelFor, StopRequested_ThrowsInterrupted) {
  std::stop_source stop;
  const auto error = tests::thrown_error([&] {
    parallel_for(1000, {.threads = 2, .stop = stop.get_token()},
                 [&](std::int64_t) { stop.request_stop(); });
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace headroom::data
