#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/formats/tile_augmenter.hpp"
#include "tests/core/formats/augmented_tile.hpp"

namespace headroom::formats {
namespace {

using data::TileWarp;
using tests::OwnedTile;

/// cv::remap rounds places to 1/32 of a pixel.
constexpr double kPlaceRounding = 1.0 / 32;

/// The window of a tile's size and what the warp needs more.
OwnedTile window_of(const TileWarp& warp, std::int64_t height, std::int64_t width,
                    std::int64_t channels) {
  const data::WindowMargin margin = data::window_margin(warp, height, width);
  return {height + 2 * margin.down, width + 2 * margin.across, channels};
}

OwnedTile warped(OwnedTile& window, const TileWarp& warp, std::int64_t height, std::int64_t width,
                 std::int64_t item = 0) {
  OwnedTile tile(height, width, window.channels);
  make_tile_augmenter()->warp(window.span(), warp, {1, 2, item}, tile.span());
  return tile;
}

TEST(Warp, QuarterTurn_IsCounterClockwise) {
  OwnedTile window(3, 3, 1);
  window.pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  window.labels = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const OwnedTile tile = warped(window, {.degrees = 90}, 3, 3);
  // numpy.rot90
  EXPECT_THAT(tile.pixels, testing::ElementsAre(3, 6, 9, 2, 5, 8, 1, 4, 7));
  EXPECT_THAT(tile.labels, testing::ElementsAre(3, 6, 9, 2, 5, 8, 1, 4, 7));
}

// Bilinear interpolation keeps a plane a plane, so that its values tell where each pixel comes
// from.
TEST(Warp, Plane_StaysThePlaneThatGeometrySays) {
  for (const TileWarp& warp :
       {TileWarp{.degrees = 30}, TileWarp{.scale = 0.6}, TileWarp{.degrees = -75, .scale = 1.4}}) {
    OwnedTile window = window_of(warp, 20, 30, 2);
    window.fill([](auto y, auto x, auto band) { return band == 0 ? 3.0 * y : 1.0 * x; });
    OwnedTile tile = warped(window, warp, 20, 30);
    for (std::int64_t y = 0; y < 20; ++y) {
      for (std::int64_t x = 0; x < 30; ++x) {
        const double radians = warp.degrees * std::acos(-1.0) / 180;
        const double down = y - 9.5, across = x - 14.5;
        const double row = (down * std::cos(radians) + across * std::sin(radians)) / warp.scale +
                           (static_cast<double>(window.height) - 1) / 2;
        const double column = (across * std::cos(radians) - down * std::sin(radians)) / warp.scale +
                              (static_cast<double>(window.width) - 1) / 2;
        EXPECT_NEAR(tile.at(y, x, 0), 3 * row, 3 * kPlaceRounding);
        EXPECT_NEAR(tile.at(y, x, 1), column, kPlaceRounding);
      }
    }
  }
}

TEST(Warp, ImageAndMask_StayTogether) {
  const TileWarp warp{.degrees = 40, .scale = 1.3, .elastic_px = 1.5};
  OwnedTile window = window_of(warp, 128, 128, 1);
  const double middle = static_cast<double>(window.height) / 2;
  window.fill([&](auto y, auto x, auto) { return std::hypot(y - middle, x - middle) < 30; });
  std::ranges::copy(window.pixels, window.labels.begin());
  OwnedTile tile = warped(window, warp, 128, 128);
  int inside = 0, differing = 0;
  for (std::size_t i = 0; i < tile.labels.size(); ++i) {
    inside += tile.labels[i];
    differing += (tile.pixels[i] > 0.5F) == (tile.labels[i] == 1) ? 0 : 1;
  }
  // The disc grows to a radius of 39; where its edge runs through a pixel, the two may disagree.
  EXPECT_NEAR(inside, std::acos(-1.0) * 39 * 39, 700);
  EXPECT_LT(differing, 100);
}

TEST(Warp, Labels_AreNeverMixed) {
  const TileWarp warp{.degrees = 17, .scale = 0.8, .elastic_px = 6};
  OwnedTile window = window_of(warp, 96, 96, 1);
  for (std::int64_t i = 0; i < std::ssize(window.labels); ++i)
    window.labels[static_cast<std::size_t>(i)] = i / 5 % 2 == 0 ? 2 : 200;
  const OwnedTile tile = warped(window, warp, 96, 96);
  const std::set<int> values(tile.labels.begin(), tile.labels.end());
  EXPECT_EQ(values, (std::set<int>{2, 200}));
}

TEST(Warp, BeyondTheWindow_PixelsMirrorAndLabelsIgnore) {
  OwnedTile window(1, 3, 1);
  window.pixels = {1, 2, 3};
  window.labels = {4, 5, 6};
  const OwnedTile tile = warped(window, {}, 1, 7);
  EXPECT_THAT(tile.pixels, testing::ElementsAre(3, 2, 1, 2, 3, 2, 1));
  EXPECT_THAT(tile.labels, testing::ElementsAre(255, 255, 4, 5, 6, 255, 255));
}

TEST(Warp, AnyNumberOfBands_IsWarpedAsEachAlone) {
  const TileWarp warp{.degrees = 25, .elastic_px = 3};
  for (const std::int64_t channels : {2, 3, 4, 5, 8, 600}) {
    OwnedTile window = window_of(warp, 12, 12, channels);
    window.fill([](auto y, auto x, auto band) { return (y * 31 + x * 17 + band * 7) % 23; });
    OwnedTile tile = warped(window, warp, 12, 12);
    const std::int64_t last = channels - 1;
    OwnedTile one = window_of(warp, 12, 12, 1);
    one.fill([&](auto y, auto x, auto) { return window.at(y, x, last); });
    OwnedTile expected = warped(one, warp, 12, 12);
    for (std::int64_t y = 0; y < 12; ++y) {
      for (std::int64_t x = 0; x < 12; ++x)
        EXPECT_NEAR(tile.at(y, x, last), expected.at(y, x), 1e-5) << channels;
    }
  }
}

TEST(Warp, Elastic_MovesPixelsByWhatItSaysAndSmoothly) {
  const TileWarp warp{.elastic_px = 5};
  double squares = 0, steepest = 0;
  for (std::int64_t item = 0; item < 20; ++item) {
    OwnedTile window = window_of(warp, 256, 256, 1);
    window.fill([](auto, auto x, auto) { return x; });
    OwnedTile tile = warped(window, warp, 256, 256, item);
    const double offset = static_cast<double>(window.width - 256) / 2;
    double before = 0;
    for (std::int64_t x = 0; x < 256; ++x) {
      const double moved = tile.at(128, x) - offset - static_cast<double>(x);
      squares += moved * moved;
      EXPECT_LE(std::abs(moved), data::farthest_displacement(warp));
      if (x > 0) steepest = std::max(steepest, std::abs(moved - before));
      before = moved;
    }
  }
  // Between the grid's points bicubic interpolation averages some of the spread away.
  const double spread = std::sqrt(squares / (20 * 256));
  EXPECT_GT(spread, 2.5);
  EXPECT_LT(spread, 6);
  // Below 1, so that nothing is folded.
  EXPECT_LT(steepest, 0.7);
}

TEST(Warp, SizesThatDisagree_Throw) {
  OwnedTile window(4, 4, 1), tile(4, 4, 1);
  data::TileSpan wrong = tile.span();
  wrong.width = 5;
  EXPECT_THROW(make_tile_augmenter()->warp(window.span(), {}, {1, 2, 3}, wrong), base::Error);
}

}  // namespace
}  // namespace headroom::formats
