#include "core/data/tile_sampler.hpp"

#include <gmock/gmock.h>
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

// Worked out by a program of its own, in another language, from the definitions of the draws.
TEST(TileSampler, Defaults_GiveTheseTiles) {
  const TileSampler sampler(two_sizes(), {0, 2}, {.tile_height = 32, .tile_width = 24, .seed = 7});
  const std::map<std::int64_t, TileRequest> expected = {
      {0,
       {.sample = 0,
        .top = 66,
        .left = 28,
        .window_height = 32,
        .window_width = 24,
        .mirrored = true,
        .quarter_turns = 0}},
      {1,
       {.sample = 2,
        .top = -1,
        .left = 8,
        .window_height = 24,
        .window_width = 32,
        .mirrored = false,
        .quarter_turns = 3}},
      {2,
       {.sample = 0,
        .top = 49,
        .left = 8,
        .window_height = 32,
        .window_width = 24,
        .mirrored = false,
        .quarter_turns = 2}},
      {3,
       {.sample = 0,
        .top = 62,
        .left = 8,
        .window_height = 32,
        .window_width = 24,
        .mirrored = false,
        .quarter_turns = 2}},
      {17,
       {.sample = 0,
        .top = 62,
        .left = 25,
        .window_height = 24,
        .window_width = 32,
        .mirrored = false,
        .quarter_turns = 3}},
      {18,
       {.sample = 0,
        .top = 65,
        .left = 2,
        .window_height = 32,
        .window_width = 24,
        .mirrored = true,
        .quarter_turns = 0}},
      {1000,
       {.sample = 0,
        .top = 28,
        .left = 19,
        .window_height = 24,
        .window_width = 32,
        .mirrored = false,
        .quarter_turns = 1}},
      {123456,
       {.sample = 2,
        .top = -4,
        .left = 16,
        .window_height = 32,
        .window_width = 24,
        .mirrored = false,
        .quarter_turns = 2}},
  };
  for (const auto& [k, request] : expected) EXPECT_EQ(sampler.request(k), request) << k;
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
                            {.tile_height = 8, .tile_width = 8, .augment = base::Augment::none});
  for (std::int64_t k = 0; k < 100; ++k) {
    EXPECT_FALSE(sampler.request(k).mirrored);
    EXPECT_EQ(sampler.request(k).quarter_turns, 0);
  }
}

TEST(TileSampler, Positions_ReachBothEdges) {
  const TileSampler sampler(two_sizes(), {0},
                            {.tile_height = 90, .tile_width = 60, .augment = base::Augment::none});
  std::set<std::int64_t> tops;
  for (std::int64_t k = 0; k < 500; ++k) tops.insert(sampler.request(k).top);
  EXPECT_EQ(*tops.begin(), 0);
  EXPECT_EQ(*tops.rbegin(), 10);
}

/// Whether the tile's window holds the pixel; for tiles without a warp.
bool holds(const TileRequest& request, std::int64_t sample, std::int64_t row, std::int64_t column) {
  return request.sample == sample && row >= request.top &&
         row < request.top + request.window_height && column >= request.left &&
         column < request.left + request.window_width;
}

/// A 6x6 object in the corner of one image of 1024x1024, a larger one of another class in the
/// second, none in the third.
std::vector<Sample> three_images() {
  return {{.id = "tiny", .height = 1024, .width = 1024},
          {.id = "large", .height = 1024, .width = 1024},
          {.id = "empty", .height = 1024, .width = 1024}};
}
ClassPositions tiny_and_large() {
  std::vector<std::int64_t> corner;
  for (std::int64_t row = 0; row < 6; ++row) {
    for (std::int64_t column = 0; column < 6; ++column) corner.push_back(row * 1024 + column);
  }
  return {{{0, {5000}}}, {{0, corner}}, {{1, {512 * 1024 + 512, 600 * 1024 + 512}}}};
}

TEST(TileSampler, Foreground_IsTheShareAskedForWithEachClassEquallyOften) {
  const TileSampler sampler(three_images(), {0, 1, 2},
                            {.tile_height = 128, .tile_width = 128, .seed = 3, .foreground = 0.5},
                            tiny_and_large());
  int tiny = 0, large = 0, empty = 0;
  for (std::int64_t k = 0; k < 1200; ++k) {
    const TileRequest request = sampler.request(k);
    tiny += request.sample == 0 && request.top < 6 && request.left < 6 ? 1 : 0;
    large += holds(request, 1, 512, 512) || holds(request, 1, 600, 512) ? 1 : 0;
    empty += request.sample == 2 ? 1 : 0;
    EXPECT_GE(request.top, 0);
    EXPECT_LE(request.top + request.window_height, 1024);
  }
  // 300 each of 600 (standard deviation 12), and now and then one of the tiles that lie anywhere.
  EXPECT_NEAR(tiny, 300, 60);
  EXPECT_NEAR(large, 310, 60);
  // A third of the others.
  EXPECT_NEAR(empty, 200, 60);
}

TEST(TileSampler, Foreground_KeepsToItsShareInEveryStretch) {
  for (const double share : {0.0, 0.33, 1.0}) {
    const TileSampler sampler(
        three_images(), {0, 1, 2},
        {.tile_height = 128, .tile_width = 128, .seed = 1, .foreground = share}, tiny_and_large());
    const TileSampler plain(three_images(), {0, 1, 2},
                            {.tile_height = 128, .tile_width = 128, .seed = 1});
    for (const std::int64_t first : {0, 1000, 77777}) {
      int placed = 0;
      for (std::int64_t k = first; k < first + 300; ++k)
        placed += sampler.request(k) == plain.request(k) ? 0 : 1;
      EXPECT_NEAR(placed, 300 * share, 1) << share << " from " << first;
    }
  }
}

TEST(TileSampler, ForegroundOfNoPositions_ChangesNothing) {
  const TileSamplerOptions with{.tile_height = 128, .tile_width = 128, .foreground = 1};
  const TileSampler sampler(three_images(), {0, 1, 2}, with, {{{0, {7}}}, {}});
  const TileSampler plain(three_images(), {0, 1, 2}, {.tile_height = 128, .tile_width = 128});
  for (std::int64_t k = 0; k < 50; ++k) EXPECT_EQ(sampler.request(k), plain.request(k));
}

TEST(TileSampler, Foreground_PlacesSmallImagesInsideTheTile) {
  const TileSampler sampler(two_sizes(), {2},
                            {.tile_height = 64, .tile_width = 64, .foreground = 1},
                            {{}, {{2, {0, 799}}}});
  for (std::int64_t k = 0; k < 50; ++k) {
    const TileRequest request = sampler.request(k);
    EXPECT_TRUE(holds(request, 2, 0, 0) && holds(request, 2, 19, 39));
  }
}

/// [sample][pixel]: how many tiles of an epoch hold it.
std::map<std::int64_t, std::vector<int>> counts_of_epoch(const TileSampler& sampler,
                                                         std::int64_t epoch) {
  std::map<std::int64_t, std::vector<int>> counts;
  for (const std::int64_t index : {0, 2}) {
    const Sample sample = two_sizes()[static_cast<std::size_t>(index)];
    counts[index].resize(static_cast<std::size_t>(sample.height * sample.width));
  }
  for (std::int64_t i = 0; i < sampler.tiles_per_epoch(); ++i) {
    const TileRequest request = sampler.request(epoch * sampler.tiles_per_epoch() + i);
    const Sample sample = two_sizes()[static_cast<std::size_t>(request.sample)];
    for (std::int64_t row = 0; row < sample.height; ++row) {
      for (std::int64_t column = 0; column < sample.width; ++column) {
        if (holds(request, request.sample, row, column))
          ++counts[request.sample][static_cast<std::size_t>(row * sample.width + column)];
      }
    }
  }
  return counts;
}

TEST(TileSampler, Coverage_HoldsEveryPixelOnceAnEpoch) {
  for (const auto& [height, width] : {std::pair(32, 32), std::pair(32, 24), std::pair(128, 128)}) {
    const TileSampler sampler(
        two_sizes(), {0, 2},
        {.tile_height = height, .tile_width = width, .seed = 5, .coverage = true});
    for (const std::int64_t epoch : {0, 1, 9}) {
      for (const auto& [sample, counts] : counts_of_epoch(sampler, epoch))
        EXPECT_THAT(counts, testing::Each(1)) << height << 'x' << width << " of " << sample;
    }
  }
}

TEST(TileSampler, Coverage_MovesItsGridBetweenEpochs) {
  const TileSampler sampler(two_sizes(), {0},
                            {.tile_height = 32, .tile_width = 32, .coverage = true});
  std::set<std::int64_t> tops;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch)
    tops.insert(sampler.request(epoch * sampler.tiles_per_epoch()).top % 32);
  EXPECT_GT(tops.size(), 5U);
}

TEST(TileSampler, CoverageWithWarpOrForeground_Throws) {
  EXPECT_THROW(TileSampler(two_sizes(), {0}, {.foreground = 0.5, .coverage = true}), base::Error);
  EXPECT_THROW(TileSampler(two_sizes(), {0}, {.augment = base::Augment::aerial, .coverage = true}),
               base::Error);
}

TEST(TileSampler, Warp_WidensTheWindowAboutItsMiddle) {
  const TileSamplerOptions options{
      .tile_height = 32, .tile_width = 24, .seed = 2, .augment = base::Augment::medical};
  const TileSampler sampler(two_sizes(), {0, 2}, options);
  TileSamplerOptions flips = options;
  flips.augment = base::Augment::flips;
  const TileSampler plain(two_sizes(), {0, 2}, flips);
  int warped = 0;
  for (std::int64_t k = 0; k < 300; ++k) {
    const TileRequest request = sampler.request(k), unwarped = plain.request(k);
    EXPECT_EQ(2 * request.top + request.window_height, 2 * unwarped.top + unwarped.window_height);
    EXPECT_EQ(2 * request.left + request.window_width, 2 * unwarped.left + unwarped.window_width);
    EXPECT_EQ(request.mirrored, unwarped.mirrored);
    warped += request.warp ? 1 : 0;
    EXPECT_TRUE(request.warp || request == unwarped);
  }
  // 1 - 0.8 * 0.8 of them.
  EXPECT_NEAR(warped, 108, 40);
}

TEST(TileSampler, NoSamples_Throws) { EXPECT_THROW(TileSampler(two_sizes(), {}, {}), base::Error); }

}  // namespace
}  // namespace headroom::data
