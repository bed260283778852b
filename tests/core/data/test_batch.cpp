#include "core/data/batch.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace headroom::data {
namespace {

HostBatch counted_batch(std::int64_t tiles) {
  HostBatch batch{tiles, 2, 3, 2};
  batch.pixels.resize(static_cast<std::size_t>(tiles * 12));
  batch.labels.resize(static_cast<std::size_t>(tiles * 6));
  std::iota(batch.pixels.begin(), batch.pixels.end(), 0.0F);
  std::iota(batch.labels.begin(), batch.labels.end(), std::uint8_t{0});
  return batch;
}

TEST(SplitBatch, Parts_AreEvenAndKeepTheTilesInOrder) {
  const HostBatch whole = counted_batch(5);
  const std::vector<HostBatch> parts = split_batch(whole, 3);
  ASSERT_EQ(parts.size(), 3U);
  std::vector<float> pixels;
  std::vector<std::uint8_t> labels;
  for (const HostBatch& part : parts) {
    EXPECT_TRUE(part.batch == 1 || part.batch == 2) << part.batch;
    EXPECT_EQ(part.height, 2);
    EXPECT_EQ(part.width, 3);
    EXPECT_EQ(part.channels, 2);
    EXPECT_EQ(part.pixels.size(), static_cast<std::size_t>(part.batch * 12));
    pixels.insert(pixels.end(), part.pixels.begin(), part.pixels.end());
    labels.insert(labels.end(), part.labels.begin(), part.labels.end());
  }
  EXPECT_EQ(pixels, whole.pixels);
  EXPECT_EQ(labels, whole.labels);
}

TEST(SplitBatch, OnePart_IsTheBatch) {
  const std::vector<HostBatch> parts = split_batch(counted_batch(2), 1);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].pixels, counted_batch(2).pixels);
}

}  // namespace
}  // namespace headroom::data
