#include "core/data/tile_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/base/error.hpp"

namespace headroom::data {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr std::uint8_t kIgnore = base::kIgnoreLabel;

template <typename T>
base::PixelType pixel_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return base::PixelType::u8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return base::PixelType::u16;
  if constexpr (std::is_same_v<T, std::int16_t>) return base::PixelType::i16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return base::PixelType::u32;
  if constexpr (std::is_same_v<T, std::int32_t>) return base::PixelType::i32;
  if constexpr (std::is_same_v<T, float>) return base::PixelType::f32;
  return base::PixelType::f64;
}

template <typename T>
base::Image image_of(std::int64_t height, std::int64_t width, std::int64_t channels,
                     const std::vector<T>& values) {
  base::Image image{
      .height = height, .width = width, .channels = channels, .type = pixel_type<T>()};
  image.pixels.resize(values.size() * sizeof(T));
  std::memcpy(image.pixels.data(), values.data(), image.pixels.size());
  return image;
}

/// Rows 1 2 3 and 4 5 6; labels are the same.
DecodedSample two_by_three() {
  return {image_of<std::uint8_t>(2, 3, 1, {1, 2, 3, 4, 5, 6}), {2, 3, {1, 2, 3, 4, 5, 6}}};
}

Normalisation identity(std::size_t channels) {
  return {"none", std::vector<double>(channels, 0), std::vector<double>(channels, 1)};
}

struct Tile {
  std::vector<float> pixels;
  std::vector<std::uint8_t> labels;
};

Tile build(const DecodedSample& sample, const TileRequest& request,
           const Normalisation& normalisation) {
  const auto count = static_cast<std::size_t>(request.window_height * request.window_width);
  Tile tile{std::vector<float>(count * normalisation.shift.size()),
            std::vector<std::uint8_t>(count)};
  build_tile(sample, request, normalisation, tile.pixels, tile.labels);
  return tile;
}

TileRequest whole(bool mirrored, std::int64_t turns) {
  return {.window_height = 2, .window_width = 3, .mirrored = mirrored, .quarter_turns = turns};
}

// Expected values as numpy.rot90(m, k) and numpy.rot90(numpy.fliplr(m), k) give them.
TEST(BuildTile, QuarterTurns_AreCounterClockwise) {
  const DecodedSample sample = two_by_three();
  EXPECT_THAT(build(sample, whole(false, 0), identity(1)).labels, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(build(sample, whole(false, 1), identity(1)).labels, ElementsAre(3, 6, 2, 5, 1, 4));
  EXPECT_THAT(build(sample, whole(false, 2), identity(1)).labels, ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(build(sample, whole(false, 3), identity(1)).labels, ElementsAre(4, 1, 5, 2, 6, 3));
}

TEST(BuildTile, Mirror_ComesBeforeTheTurn) {
  const DecodedSample sample = two_by_three();
  EXPECT_THAT(build(sample, whole(true, 0), identity(1)).labels, ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_THAT(build(sample, whole(true, 1), identity(1)).labels, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(build(sample, whole(true, 2), identity(1)).labels, ElementsAre(4, 5, 6, 1, 2, 3));
  EXPECT_THAT(build(sample, whole(true, 3), identity(1)).labels, ElementsAre(6, 3, 5, 2, 4, 1));
}

TEST(BuildTile, PixelsAndLabels_AreTurnedAlike) {
  for (const bool mirrored : {false, true}) {
    for (std::int64_t turns = 0; turns < 4; ++turns) {
      const Tile tile = build(two_by_three(), whole(mirrored, turns), identity(1));
      EXPECT_THAT(tile.pixels, ElementsAreArray(tile.labels));
    }
  }
}

TEST(BuildTile, Window_IsCutOut) {
  const Tile tile = build(
      two_by_three(), {.top = 1, .left = 1, .window_height = 1, .window_width = 2}, identity(1));
  EXPECT_THAT(tile.labels, ElementsAre(5, 6));
}

TEST(BuildTile, OutsideTheImage_PixelsMirrorAndLabelsIgnore) {
  const Tile tile = build(
      two_by_three(), {.top = 0, .left = -2, .window_height = 3, .window_width = 6}, identity(1));
  EXPECT_THAT(tile.pixels, ElementsAre(3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2));
  EXPECT_THAT(tile.labels,
              ElementsAre(kIgnore, kIgnore, 1, 2, 3, kIgnore, kIgnore, kIgnore, 4, 5, 6, kIgnore,
                          kIgnore, kIgnore, kIgnore, kIgnore, kIgnore, kIgnore));
}

TEST(BuildTile, OnePixelImage_IsRepeated) {
  const DecodedSample sample{image_of<std::uint8_t>(1, 1, 1, {7}), {1, 1, {0}}};
  const Tile tile =
      build(sample, {.top = -1, .left = -1, .window_height = 3, .window_width = 3}, identity(1));
  EXPECT_THAT(tile.pixels, testing::Each(7.0F));
  EXPECT_EQ(std::ranges::count(tile.labels, kIgnore), 8);
}

template <typename T>
class BuildTileOf : public testing::Test {};
using PixelTypes = testing::Types<std::uint8_t, std::uint16_t, std::int16_t, std::uint32_t,
                                  std::int32_t, float, double>;
TYPED_TEST_SUITE(BuildTileOf, PixelTypes);

TYPED_TEST(BuildTileOf, FiveBands_AreShiftedAndScaledEach) {
  const DecodedSample sample{image_of<TypeParam>(1, 2, 5, {1, 2, 3, 4, 5, 10, 20, 30, 40, 50}),
                             {1, 2, {0, 1}}};
  const Normalisation normalisation{"zscore", {1, 1, 1, 1, 1}, {1, 2, 3, 4, 0.5}};
  const Tile tile = build(sample, {.window_height = 1, .window_width = 2}, normalisation);
  EXPECT_THAT(tile.pixels, ElementsAre(0, 2, 6, 12, 2, 9, 38, 87, 156, 24.5));
}

TYPED_TEST(BuildTileOf, NodataValue_BecomesZero) {
  DecodedSample sample{image_of<TypeParam>(1, 3, 1, {7, 9, 7}), {1, 3, {0, 0, 0}}};
  sample.image.nodata = 7;
  const Tile tile = build(sample, {.window_height = 1, .window_width = 3}, {"zscore", {1}, {1}});
  EXPECT_THAT(tile.pixels, ElementsAre(0, 8, 0));
}

TYPED_TEST(BuildTileOf, ClippedNormalisation_CutsBelowZeroAndAboveOne) {
  const DecodedSample sample{image_of<TypeParam>(1, 4, 1, {1, 10, 15, 90}), {1, 4, {0, 0, 0, 0}}};
  const Normalisation window{"ct-window", {10}, {0.1}, true};
  const Tile tile = build(sample, {.window_height = 1, .window_width = 4}, window);
  EXPECT_THAT(tile.pixels, ElementsAre(0, 0, 0.5, 1));
}

TEST(BuildTile, SixteenBitValues_AreNotCutToEight) {
  const DecodedSample sample{image_of<std::uint16_t>(1, 2, 1, {257, 65535}), {1, 2, {0, 0}}};
  EXPECT_THAT(build(sample, {.window_height = 1, .window_width = 2}, identity(1)).pixels,
              ElementsAre(257, 65535));
}

TEST(BuildTile, NanAndInfinity_BecomeZero) {
  const float inf = std::numeric_limits<float>::infinity();
  const DecodedSample sample{image_of<float>(1, 4, 1, {std::nanf(""), inf, -inf, 2}),
                             {1, 4, {0, 0, 0, 0}}};
  const Tile tile = build(sample, {.window_height = 1, .window_width = 4}, {"zscore", {1}, {3}});
  EXPECT_THAT(tile.pixels, ElementsAre(0, 0, 0, 3));
}

TEST(BuildTile, OtherNumberOfBands_IsUnusableData) {
  try {
    static_cast<void>(build(two_by_three(), whole(false, 0), identity(3)));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::unusable_data);
    EXPECT_THAT(error.what(), testing::HasSubstr("1 bands, 3 are expected"));
  }
}

TEST(NormaliseImage, WholeImage_KeepsItsOrder) {
  const DecodedSample sample = two_by_three();
  std::vector<float> pixels(6);
  normalise_image(sample.image, {"zscore", {1}, {2}}, pixels);
  EXPECT_THAT(pixels, ElementsAre(0, 2, 4, 6, 8, 10));
}

}  // namespace
}  // namespace headroom::data
