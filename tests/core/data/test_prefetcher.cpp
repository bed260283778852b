#include "core/data/prefetcher.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "core/data/cached_batch_source.hpp"
#include "tests/core/data/fake_reader.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

class PrefetcherTest : public testing::Test {
 protected:
  std::unique_ptr<Prefetcher> make(std::int64_t threads, std::int64_t cache_bytes = 1 << 20) {
    return make(threads, std::make_shared<SampleCache>(tests::patterned_samples(6, 40, 30), reader_,
                                                       cache_bytes));
  }

  static std::unique_ptr<Prefetcher> make(std::int64_t threads,
                                          const std::shared_ptr<SampleCache>& cache) {
    const Normalisation normalisation{"zscore", {100, 101, 102}, {0.01, 0.02, 0.03}};
    std::vector<std::int64_t> chosen(6);
    std::iota(chosen.begin(), chosen.end(), 0);
    TrainingTiles tiles(
        {.samples = cache, .chosen = std::move(chosen), .normalisation = normalisation},
        {.tile_height = 16, .tile_width = 24, .seed = 9});
    return std::make_unique<Prefetcher>(std::move(tiles),
                                        PrefetchOptions{.batch = 3, .loader_threads = threads});
  }

  static void expect_equal(const HostBatch& a, const HostBatch& b) {
    EXPECT_EQ(a.batch, b.batch);
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.channels, b.channels);
    EXPECT_EQ(a.pixels, b.pixels);
    EXPECT_EQ(a.labels, b.labels);
  }

  std::shared_ptr<tests::FakeReader> reader_ = std::make_shared<tests::FakeReader>();
};

TEST_F(PrefetcherTest, Batch_HasTheShapeAsked) {
  const HostBatch batch = make(0)->batch(0, {});
  EXPECT_EQ(batch.batch, 3);
  EXPECT_EQ(batch.channels, 3);
  EXPECT_EQ(batch.pixels.size(), 3U * 16 * 24 * 3);
  EXPECT_EQ(batch.labels.size(), 3U * 16 * 24);
}

TEST_F(PrefetcherTest, AnyNumberOfThreads_GivesTheSameBytes) {
  const auto none = make(0), one = make(1), four = make(4);
  for (std::int64_t k = 0; k < 40; ++k) {
    const HostBatch expected = none->batch(k, {});
    expect_equal(one->batch(k, {}), expected);
    expect_equal(four->batch(k, {}), expected);
  }
}

TEST_F(PrefetcherTest, SamplesReadByParts_GiveTheSameBytes) {
  std::vector<Sample> samples = tests::patterned_samples(6, 40, 30);
  for (Sample& sample : samples) {
    sample.pixel_bytes = 4;
    sample.block = {8, 16};
  }
  const auto parts = std::make_shared<SampleCache>(samples, reader_, 4096);
  ASSERT_TRUE(parts->is_read_by_parts(0));
  const auto whole = make(0), by_parts = make(2, parts);
  for (std::int64_t k = 0; k < 20; ++k) expect_equal(by_parts->batch(k, {}), whole->batch(k, {}));
}

TEST_F(PrefetcherTest, TinyCache_GivesTheSameBytes) {
  const auto roomy = make(2), tiny = make(3, 0);
  for (std::int64_t k = 0; k < 20; ++k) expect_equal(tiny->batch(k, {}), roomy->batch(k, {}));
}

TEST_F(PrefetcherTest, Gap_StartsAnewThere) {
  const auto direct = make(0), ahead = make(2);
  for (const std::int64_t k : {0, 1, 17, 18, 2, 2, 3})
    expect_equal(ahead->batch(k, {}), direct->batch(k, {}));
}

TEST_F(PrefetcherTest, BatchesPerEpoch_CoverAllTiles) {
  // 40x30 with tiles of 16x24: 3 x 2 tiles of 6 images in batches of 3.
  EXPECT_EQ(make(0)->batches_per_epoch(), 12);
}

TEST_F(PrefetcherTest, Ahead_IsBounded) {
  // One loader and no cache: every tile is a read of its own.
  const std::int64_t reads_of_full_window = 3 * (2 * 1 + 2);
  auto source = make(1, 0);
  reader_->wait_for_reads(reads_of_full_window);
  source.reset();
  EXPECT_EQ(reader_->reads(), reads_of_full_window);
}

TEST_F(PrefetcherTest, BrokenFile_ThrowsForItsBatchesOnly) {
  reader_->break_sample("2");
  const auto source = make(2);
  int failed = 0, fine = 0;
  for (std::int64_t k = 0; k < 30; ++k) {
    try {
      static_cast<void>(source->batch(k, {}));
      ++fine;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::unusable_data);
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(fine, 0);
}

TEST_F(PrefetcherTest, StopWhileWaiting_ThrowsInterrupted) {
  reader_->close_gate();
  const auto source = make(1);
  std::stop_source stop;
  std::jthread stopper([&] {
    reader_->wait_for_reads(1);
    stop.request_stop();
  });
  const auto error =
      tests::thrown_error([&] { static_cast<void>(source->batch(0, stop.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
  reader_->open_gate();
}

TEST_F(PrefetcherTest, StopWithoutThreads_ThrowsInterrupted) {
  std::stop_source stop;
  stop.request_stop();
  const auto error =
      tests::thrown_error([&] { static_cast<void>(make(0)->batch(0, stop.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

TEST_F(PrefetcherTest, CachedBatchSource_RepeatsBatchZero) {
  const auto source = make(1);
  CachedBatchSource repeated(*source, {});
  const HostBatch expected = make(0)->batch(0, {});
  expect_equal(repeated.batch(0, {}), expected);
  expect_equal(repeated.batch(41, {}), expected);
  EXPECT_EQ(repeated.batches_per_epoch(), source->batches_per_epoch());
}

}  // namespace
}  // namespace headroom::data
