#include "core/data/sample_cache.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/core/data/fake_reader.hpp"

namespace headroom::data {
namespace {

constexpr std::int64_t kSampleBytes = 4 * 4 * (3 + 1);

class CacheTest : public testing::Test {
 protected:
  SampleCache make_cache(std::int64_t max_bytes) {
    return {tests::patterned_samples(4, 4, 4), reader_, max_bytes};
  }

  std::shared_ptr<tests::FakeReader> reader_ = std::make_shared<tests::FakeReader>();
};

TEST_F(CacheTest, SecondGet_ReadsNothing) {
  SampleCache cache = make_cache(10 * kSampleBytes);
  const auto first = cache.get(2);
  EXPECT_EQ(cache.get(2), first);
  EXPECT_EQ(reader_->reads(), 1);
  EXPECT_EQ(cache.cached_bytes(), kSampleBytes);
}

TEST_F(CacheTest, Full_DropsTheLeastRecentlyUsed) {
  SampleCache cache = make_cache(2 * kSampleBytes);
  for (const std::int64_t index : {0, 1, 0, 2}) static_cast<void>(cache.get(index));
  EXPECT_EQ(reader_->reads(), 3);
  EXPECT_EQ(cache.cached_bytes(), 2 * kSampleBytes);
  static_cast<void>(cache.get(0));
  EXPECT_EQ(reader_->reads(), 3);
  static_cast<void>(cache.get(1));
  EXPECT_EQ(reader_->reads(), 4);
}

TEST_F(CacheTest, SampleLargerThanTheBound_IsHandedOutAndNotKept) {
  SampleCache cache = make_cache(kSampleBytes - 1);
  EXPECT_EQ(cache.get(0)->image.width, 4);
  EXPECT_EQ(cache.cached_bytes(), 0);
}

TEST_F(CacheTest, ManyThreadsAskAtOnce_DecodesOnce) {
  SampleCache cache = make_cache(10 * kSampleBytes);
  reader_->close_gate();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] { EXPECT_EQ(cache.get(1)->image.height, 4); });
    }
    reader_->wait_for_reads(1);
    reader_->open_gate();
  }
  EXPECT_EQ(reader_->reads(), 1);
}

TEST_F(CacheTest, BrokenSample_ThrowsEachTimeItIsAskedFor) {
  reader_->break_sample("3");
  SampleCache cache = make_cache(10 * kSampleBytes);
  EXPECT_THROW(static_cast<void>(cache.get(3)), base::Error);
  EXPECT_THROW(static_cast<void>(cache.get(3)), base::Error);
  EXPECT_EQ(reader_->reads(), 2);
  EXPECT_EQ(cache.get(0)->image.height, 4);
}

TEST_F(CacheTest, EvictedSample_LivesOnWithItsHolder) {
  SampleCache cache = make_cache(kSampleBytes);
  const auto held = cache.get(0);
  const auto pixels = held->image.pixels;
  static_cast<void>(cache.get(1));
  EXPECT_EQ(held->image.pixels, pixels);
}

TEST(SampleCache, NoReader_Throws) { EXPECT_THROW(SampleCache({}, nullptr, 1), base::Error); }

}  // namespace
}  // namespace headroom::data
