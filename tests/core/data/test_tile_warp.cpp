#include "core/data/tile_warp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace headroom::data {
namespace {

TEST(TileWarp, QuarterTurn_ShowsWhatTheCounterClockwiseTurnShows) {
  // numpy.rot90(m)[y, x] is m[x, w - 1 - y]: one to the right in the tile is one down in the
  // window.
  const TileWarp quarter{.degrees = 90};
  const Offset right = window_offset(quarter, {0, 1});
  EXPECT_NEAR(right.down, 1, 1e-12);
  EXPECT_NEAR(right.across, 0, 1e-12);
  const Offset below = window_offset(quarter, {1, 0});
  EXPECT_NEAR(below.down, 0, 1e-12);
  EXPECT_NEAR(below.across, -1, 1e-12);
}

TEST(TileWarp, TileOffset_IsTheInverse) {
  const TileWarp warp{.degrees = 33, .scale = 1.7};
  const Offset there = window_offset(warp, {12, -5});
  const Offset back = tile_offset(warp, there);
  EXPECT_NEAR(back.down, 12, 1e-12);
  EXPECT_NEAR(back.across, -5, 1e-12);
}

TEST(WindowMargin, KnownWarps_AreAsComputedByHand) {
  // One pixel more than half the window less half the tile, rounded up.
  EXPECT_EQ(window_margin({}, 100, 50).down, 1);
  EXPECT_EQ(window_margin({.scale = 0.5}, 100, 50).down, 51);
  EXPECT_EQ(window_margin({.scale = 0.5}, 100, 50).across, 26);
  EXPECT_EQ(window_margin({.scale = 2}, 100, 50).down, -24);
  // 100 * sqrt(2) / 2 = 70.7.
  EXPECT_EQ(window_margin({.degrees = 45}, 100, 100).down, 22);
}

TEST(DrawWarp, PresetsWithoutGeometry_ChangeNothing) {
  for (const auto preset : {base::Augment::none, base::Augment::flips}) {
    for (std::int64_t k = 0; k < 50; ++k)
      EXPECT_EQ(draw_warp(augmentation_of(preset), {1, 2, k}), TileWarp{});
  }
}

TEST(DrawWarp, Medical_TurnsAndScalesAsOftenAndAsFarAsStated) {
  const Augmentation medical = augmentation_of(base::Augment::medical);
  int turned = 0, scaled = 0, smaller = 0;
  for (std::int64_t k = 0; k < 4000; ++k) {
    const TileWarp warp = draw_warp(medical, {1, 2, k});
    turned += warp.degrees != 0 ? 1 : 0;
    scaled += warp.scale != 1 ? 1 : 0;
    smaller += warp.scale < 1 ? 1 : 0;
    EXPECT_LE(std::abs(warp.degrees), 180);
    EXPECT_GE(warp.scale, 0.7 - 1e-12);
    EXPECT_LE(warp.scale, 1.4 + 1e-12);
    EXPECT_EQ(warp.elastic_px, 0);
  }
  // 800 of 4000 each, standard deviation 25; 1 / 0.7 is close to 1.4, so half of them shrink.
  EXPECT_NEAR(turned, 800, 125);
  EXPECT_NEAR(scaled, 800, 125);
  EXPECT_NEAR(smaller, 411, 100);
}

TEST(DrawWarp, Tiles_DoNotRepeatEachOther) {
  std::set<double> angles;
  for (std::int64_t k = 0; k < 3000; ++k) {
    const double angle = draw_warp(augmentation_of(base::Augment::aerial), {1, 2, k}).degrees;
    EXPECT_TRUE(angle == 0 || angles.insert(angle).second) << k;
  }
  EXPECT_GT(angles.size(), 700U);
}

TEST(DrawDisplacements, Values_HaveTheStandardDeviationAndAreBounded) {
  const TileWarp warp{.elastic_px = 5};
  const DisplacementGrid grid = draw_displacements(warp, 6400, 6400, {1, 2, 3});
  EXPECT_EQ(grid.rows, 51);
  EXPECT_EQ(grid.columns, 51);
  const double count = 51 * 51;
  for (const auto& values : {grid.down, grid.across}) {
    ASSERT_EQ(std::ssize(values), 51 * 51);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const float value : values) squares += (value - mean) * (value - mean);
    EXPECT_NEAR(mean, 0, 5 * 5 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 5, 0.3);
    EXPECT_LT(*std::ranges::max_element(values), farthest_displacement(warp));
  }
}

}  // namespace
}  // namespace headroom::data
