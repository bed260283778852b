#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/train/metrics.hpp"

namespace headroom::train {
namespace {

using Labels = std::vector<std::uint8_t>;

TEST(ConfusionMatrix, HandCountedCase_GivesItsScores) {
  ConfusionMatrix matrix(3);
  // class 0: both 2, truth 3, prediction 3; class 1: both 1, truth 2, prediction 2; one pixel is
  // ignored.
  matrix.add(Labels{0, 0, 0, 1, 1, 255}, Labels{0, 0, 1, 1, 0, 2});
  EXPECT_EQ(matrix.count(0, 1), 1);
  EXPECT_EQ(matrix.pixels(), 5);
  EXPECT_DOUBLE_EQ(matrix.metrics(0).iou, 2.0 / 4.0);
  EXPECT_DOUBLE_EQ(matrix.metrics(0).dice, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(matrix.metrics(1).iou, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(matrix.metrics(1).dice, 2.0 / 4.0);
}

TEST(ConfusionMatrix, ClassInNeither_IsNanAndLeftOutOfTheMean) {
  ConfusionMatrix matrix(3);
  matrix.add(Labels{0, 1}, Labels{0, 0});
  EXPECT_TRUE(std::isnan(matrix.metrics(2).dice));
  EXPECT_DOUBLE_EQ(matrix.mean().dice, (2.0 / 3.0 + 0.0) / 2);
  EXPECT_DOUBLE_EQ(matrix.mean().iou, (1.0 / 2.0 + 0.0) / 2);
}

TEST(ConfusionMatrix, SeveralImages_AddUpPixelByPixel) {
  ConfusionMatrix apart(2), together(2);
  apart.add(Labels{0, 1, 1}, Labels{0, 0, 1});
  apart.add(Labels{1}, Labels{1});
  together.add(Labels{0, 1, 1, 1}, Labels{0, 0, 1, 1});
  EXPECT_DOUBLE_EQ(apart.mean().dice, together.mean().dice);
}

TEST(ConfusionMatrix, NothingCounted_MeanIsNan) {
  ConfusionMatrix matrix(2);
  matrix.add(Labels{255, 255}, Labels{0, 1});
  EXPECT_TRUE(std::isnan(matrix.mean().dice));
}

TEST(ConfusionMatrix, LabelThatIsNoClass_ThrowsAndCountsNothing) {
  ConfusionMatrix matrix(2);
  EXPECT_THROW(matrix.add(Labels{0, 2}, Labels{0, 0}), base::Error);
  EXPECT_THROW(matrix.add(Labels{0, 1}, Labels{0, 255}), base::Error);
  EXPECT_EQ(matrix.pixels(), 0);
}

TEST(ConfusionMatrix, OtherSize_Throws) {
  ConfusionMatrix matrix(2);
  EXPECT_THROW(matrix.add(Labels{0}, Labels{0, 0}), base::Error);
  EXPECT_THROW(matrix.add(base::LabelImage{1, 2, {0, 0}}, base::LabelImage{2, 1, {0, 0}}),
               base::Error);
}

}  // namespace
}  // namespace headroom::train
