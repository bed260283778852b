#include "core/data/tile_sampler.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::data {
namespace {

std::vector<Sample> two_sizes() {
  return {{.id = "big", .height = 100, .width = 65},
          {.id = "unused", .height = 9, .width = 9},
          {.id = "small", .height = 20, .width = 40}};
}

TEST(TileSampler, Epoch_HasAsManyTilesOfAnImageAsCoverIt) {
  const TileSampler sampler(two_sizes(), {0, 2}, {.tile_height = 32, .tile_width = 32});
  // big: 4 x 3 tiles; small: 1 x 2.
  ASSERT_EQ(sampler.tiles_per_epoch(), 14);
  for (const std::int64_t epoch : {0, 1, 7}) {
    std::map<std::int64_t, int> tiles;
    for (std::int64_t i = 0; i < 14; ++i) ++tiles[sampler.request(epoch * 14 + i).sample];
    EXPECT_EQ(tiles, (std::map<std::int64_t, int>{{0, 12}, {2, 2}}));
  }
}

TEST(TileSampler, Epochs_ComeInDifferentOrders) {
  const TileSampler sampler(two_sizes(), {0, 2}, {.tile_height = 8, .tile_width = 8});
  const std::int64_t count = sampler.tiles_per_epoch();
  std::vector<std::int64_t> first, second;
  for (std::int64_t i = 0; i < count; ++i) {
    first.push_back(sampler.request(i).sample);
    second.push_back(sampler.request(count + i).sample);
  }
  EXPECT_NE(first, second);
}

TEST(TileSampler, SameSeedAndIndex_GiveTheSameRequest) {
  const TileSampler a(two_sizes(), {0, 2}, {.tile_height = 16, .tile_width = 24, .seed = 4});
  const TileSampler b(two_sizes(), {0, 2}, {.tile_height = 16, .tile_width = 24, .seed = 4});
  const TileSampler c(two_sizes(), {0, 2}, {.tile_height = 16, .tile_width = 24, .seed = 5});
  int differing = 0;
  for (std::int64_t k = 99; k >= 0; --k) {
    EXPECT_EQ(a.request(k), b.request(k));
    differing += a.request(k) == c.request(k) ? 0 : 1;
  }
  EXPECT_GT(differing, 90);
}

TEST(TileSampler, Window_LiesInsideTheImageOrAroundIt) {
  const TileSampler sampler(two_sizes(), {0, 2}, {.tile_height = 32, .tile_width = 24});
  for (std::int64_t k = 0; k < 500; ++k) {
    const TileRequest request = sampler.request(k);
    const Sample sample = two_sizes()[static_cast<std::size_t>(request.sample)];
    const auto check = [](std::int64_t start, std::int64_t window, std::int64_t image) {
      if (window <= image) {
        EXPECT_GE(start, 0);
        EXPECT_LE(start + window, image);
      } else {
        EXPECT_LE(start, 0);
        EXPECT_GE(start + window, image);
      }
    };
    check(request.top, request.window_height, sample.height);
    check(request.left, request.window_width, sample.width);
    const bool turned = request.quarter_turns % 2 == 1;
    EXPECT_EQ(request.window_height, turned ? 24 : 32);
    EXPECT_EQ(request.window_width, turned ? 32 : 24);
  }
}

TEST(TileSampler, Augment_UsesAllEightPlacements) {
  const TileSampler sampler(two_sizes(), {0}, {.tile_height = 8, .tile_width = 8});
  std::set<std::pair<bool, std::int64_t>> seen;
  for (std::int64_t k = 0; k < 200; ++k) {
    seen.emplace(sampler.request(k).mirrored, sampler.request(k).quarter_turns);
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(TileSampler, WithoutAugment_NeverTurnsNorMirrors) {
  const TileSampler sampler(two_sizes(), {0},
                            {.tile_height = 8, .tile_width = 8, .augment = false});
  for (std::int64_t k = 0; k < 100; ++k) {
    EXPECT_FALSE(sampler.request(k).mirrored);
    EXPECT_EQ(sampler.request(k).quarter_turns, 0);
  }
}

TEST(TileSampler, Positions_ReachBothEdges) {
  const TileSampler sampler(two_sizes(), {0},
                            {.tile_height = 90, .tile_width = 60, .augment = false});
  std::set<std::int64_t> tops;
  for (std::int64_t k = 0; k < 500; ++k) tops.insert(sampler.request(k).top);
  EXPECT_EQ(*tops.begin(), 0);
  EXPECT_EQ(*tops.rbegin(), 10);
}

TEST(TileSampler, NoSamples_Throws) { EXPECT_THROW(TileSampler(two_sizes(), {}, {}), base::Error); }

}  // namespace
}  // namespace headroom::data
