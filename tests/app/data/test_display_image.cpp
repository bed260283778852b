#include "app/data/display_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/support/rgb_image.hpp"

namespace headroom::app {
namespace {

using tests::image_of;
using tests::values_of;

TEST(Reduced, SmallEnough_StaysAsItIs) {
  const base::Image image = image_of(1, 2, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of(reduced(image, 2)), values_of(image));
  const base::LabelImage labels{.height = 1, .width = 2, .labels = {3, 4}};
  EXPECT_EQ(reduced(labels, 2).labels, labels.labels);
}

TEST(Reduced, HalfTheSide_EachPixelIsTheMeanOfFour) {
  const base::Image image = image_of(2, 4, {0, 10, 255, 2, 20, 255, 8, 0, 1, 8, 0, 0,  //
                                            4, 30, 255, 6, 40, 255, 8, 0, 0, 8, 0, 0});
  const base::Image half = reduced(image, 2);
  EXPECT_EQ(half.height, 1);
  EXPECT_EQ(half.width, 2);
  EXPECT_EQ(values_of(half), (std::vector<int>{3, 25, 255, 8, 0, 0}));
}

TEST(Reduced, UnevenSides_EveryPixelCountsOnce) {
  base::Image image = image_of(7, 5, std::vector<int>(7 * 5 * 3, 0));
  image.pixels[0] = std::byte{200};
  const base::Image smaller = reduced(image, 3);
  EXPECT_EQ(smaller.height, 3);
  EXPECT_EQ(smaller.width, 2);
  // The first of 3 rows takes 2 of 7, the first of 2 columns 2 of 5.
  EXPECT_EQ(values_of(smaller)[0], 50);
}

TEST(Reduced, Labels_AreTakenFromTheMiddleAndNeverMixed) {
  const base::LabelImage labels{.height = 3, .width = 9, .labels = {0, 0, 0, 0, 0,   0, 0, 0, 0,  //
                                                                    0, 7, 0, 0, 255, 0, 0, 3, 0,  //
                                                                    0, 0, 0, 0, 0,   0, 0, 0, 0}};
  const base::LabelImage smaller = reduced(labels, 3);
  EXPECT_EQ(smaller.height, 1);
  EXPECT_EQ(smaller.width, 3);
  EXPECT_EQ(smaller.labels, (std::vector<std::uint8_t>{7, 255, 3}));
}

TEST(Reduced, VeryLongImage_KeepsAPixelOfHeight) {
  const base::Image line = image_of(1, 100, std::vector<int>(300, 9));
  EXPECT_EQ(values_of(reduced(line, 10)), std::vector<int>(30, 9));
}

/// One band of floats in a row.
base::Image floats(const std::vector<float>& values) {
  base::Image image{.height = 1,
                    .width = static_cast<std::int64_t>(values.size()),
                    .channels = 1,
                    .type = base::PixelType::f32};
  image.pixels.resize(values.size() * sizeof(float));
  std::memcpy(image.pixels.data(), values.data(), image.pixels.size());
  return image;
}

TEST(Displayable, BytesOfThreeBands_StayAsTheyAre) {
  const base::Image image = image_of(1, 2, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of(displayable(image)), values_of(image));
}

TEST(Displayable, Reals_ReachFromBlackToWhite) {
  // The 1st and 99th percentile of 0 … 200 are 2 and 198.
  std::vector<float> values;
  for (int i = 0; i <= 200; ++i) values.push_back(static_cast<float>(i));
  const std::vector<int> shown = values_of(displayable(floats(values)));
  EXPECT_EQ(shown[0], 0);
  EXPECT_EQ(shown[3 * 2], 0);
  EXPECT_EQ(shown[3 * 100], 128);
  EXPECT_EQ(shown[3 * 198], 255);
  EXPECT_EQ(shown[3 * 200 + 2], 255);
}

TEST(Displayable, MissingValues_NeitherCountNorShine) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  base::Image image = floats({kNan, -9999, 10, 20, -9999, -9999});
  image.nodata = -9999;
  const std::vector<int> shown = values_of(displayable(image));
  EXPECT_EQ(shown[0], 0);
  EXPECT_EQ(shown[3 * 1], 0);
  // Percentiles of two values: both the lower one.
  EXPECT_EQ(shown[3 * 2], 0);
  image = floats({kNan, -9999, 10, 20, 30, -9999});
  image.nodata = -9999;
  EXPECT_GT(values_of(displayable(image))[3 * 3], values_of(displayable(image))[3 * 2]);
}

TEST(Displayable, NothingButMissingValues_IsBlack) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(values_of(displayable(floats({kNan, kNan}))), std::vector<int>(6, 0));
}

}  // namespace
}  // namespace headroom::app
