#include "core/data/sample_cache.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <thread>
#include <vector>

#include "core/data/counter_random.hpp"
#include "core/data/image_parts.hpp"
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

/// Samples that are read in blocks of 8 x 8; RGB and label take 4 bytes.
std::vector<Sample> blocked_samples(std::int64_t count, std::int64_t height, std::int64_t width) {
  std::vector<Sample> samples = tests::patterned_samples(count, height, width);
  for (Sample& sample : samples) {
    sample.pixel_bytes = 4;
    sample.block = {8, 8};
  }
  return samples;
}

void expect_window(SampleCache& cache, std::int64_t index, const base::PixelWindow& window) {
  const Sample& sample = cache.samples()[static_cast<std::size_t>(index)];
  const DecodedSample whole = tests::patterned_sample(sample.height, sample.width, index);
  const SamplePart part = cache.get(index, window);
  EXPECT_EQ(part.top, window.top);
  EXPECT_EQ(part.left, window.left);
  EXPECT_EQ(part.decoded->image.pixels, crop(whole.image, window).pixels);
  EXPECT_EQ(part.decoded->labels.labels, crop(whole.labels, window).labels);
}

constexpr std::int64_t kBlockBytes = 8 * 8 * 4;

class BlockCacheTest : public CacheTest {
 protected:
  SampleCache make_block_cache(std::int64_t max_bytes) {
    return {blocked_samples(2, 37, 50), reader_, max_bytes};
  }
};

TEST_F(BlockCacheTest, EveryWindow_IsTheCropOfTheWhole) {
  SampleCache cache = make_block_cache(20 * kBlockBytes);
  ASSERT_TRUE(cache.is_read_by_parts(1));
  for (std::int64_t k = 0; k < 200; ++k) {
    CounterRandom random(3, 1, k);
    base::PixelWindow window{.left = random.below(50), .top = random.below(37)};
    window.width = 1 + random.below(50 - window.left);
    window.height = 1 + random.below(37 - window.top);
    expect_window(cache, random.below(2), window);
    EXPECT_LE(cache.cached_bytes(), 20 * kBlockBytes);
  }
}

TEST_F(BlockCacheTest, WindowInKeptBlocks_ReadsNothing) {
  SampleCache cache = make_block_cache(20 * kBlockBytes);
  expect_window(cache, 0, {.left = 5, .top = 5, .width = 6, .height = 6});
  EXPECT_EQ(reader_->reads(), 4);
  expect_window(cache, 0, {.left = 0, .top = 0, .width = 16, .height = 16});
  EXPECT_EQ(reader_->reads(), 4);
  EXPECT_EQ(cache.cached_bytes(), 4 * kBlockBytes);
}

TEST_F(BlockCacheTest, SmallSample_IsKeptWhole) {
  SampleCache cache = make_block_cache(4 * 37 * 50 * 4);
  EXPECT_FALSE(cache.is_read_by_parts(0));
  const SamplePart part = cache.get(0, {.left = 5, .top = 5, .width = 6, .height = 6});
  EXPECT_EQ(part.decoded->image.width, 50);
  EXPECT_EQ(part.decoded, cache.get(0));
  EXPECT_EQ(reader_->reads(), 1);
}

TEST_F(BlockCacheTest, PartsOfOnePass_CoverTheSampleAndAreNotKept) {
  SampleCache cache = make_block_cache(20 * kBlockBytes);
  std::int64_t pixels = 0;
  for (const base::PixelWindow& part : cache.parts(0))
    pixels += std::ssize(cache.read_part(0, part)->labels.labels);
  EXPECT_EQ(pixels, 37 * 50);
  EXPECT_EQ(cache.cached_bytes(), 0);
}

TEST_F(BlockCacheTest, ManyThreadsAndLittleRoom_GiveTheSamePixels) {
  SampleCache cache = make_block_cache(3 * kBlockBytes);
  std::vector<std::jthread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache, thread] {
      for (std::int64_t k = 0; k < 50; ++k) {
        CounterRandom random(thread, 1, k);
        expect_window(
            cache, random.below(2),
            {.left = random.below(30), .top = random.below(17), .width = 20, .height = 20});
      }
    });
  }
}

TEST(SampleCache, NoReader_Throws) { EXPECT_THROW(SampleCache({}, nullptr, 1), base::Error); }

}  // namespace
}  // namespace headroom::data
