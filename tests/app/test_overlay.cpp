#include "app/overlay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace headroom::app {
namespace {

base::Image image_of(std::int64_t height, std::int64_t width, std::vector<int> values) {
  base::Image image{.height = height, .width = width, .channels = 3};
  for (const int value : values) image.pixels.push_back(static_cast<std::byte>(value));
  return image;
}

std::vector<int> values_of(const base::Image& image) {
  std::vector<int> values;
  for (const std::byte value : image.pixels) values.push_back(std::to_integer<int>(value));
  return values;
}

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

class PreviewWriterTest : public testing::Test {
 protected:
  [[nodiscard]] run::SharedPreview write(PreviewUse use) const {
    const PreviewWriter writer(folder_ / "previews",
                               std::make_shared<const Colours>(Colours{0xFF0000, 0x00FF00}), use);
    return writer({.sample_id = "images/a.png",
                   .step = 5,
                   .image = image_,
                   .truth = truth_,
                   .prediction = prediction_});
  }

  tests::TemporaryFolder folder_{};
  base::Image image_ = image_of(2, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  base::LabelImage truth_{.height = 2, .width = 2, .labels = {0, 0, 1, base::kIgnoreLabel}};
  base::LabelImage prediction_{.height = 2, .width = 2, .labels = {0, 1, 1, 1}};
};

TEST_F(PreviewWriterTest, Shown_IsReturnedWithItsDiceAndWrittenToo) {
  const run::SharedPreview shown = write(PreviewUse::shown);
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->sample_id, "images/a.png");
  EXPECT_EQ(shown->step, 5);
  EXPECT_EQ(shown->full_height, 2);
  // Of three pixels that count: class 0 has 1 hit, truth 2, prediction 1; class 1 has 1, 1 and 2.
  EXPECT_DOUBLE_EQ(shown->mean_dice, 2.0 / 3);
  EXPECT_EQ(values_of(shown->image), values_of(image_));
  EXPECT_EQ(shown->truth.labels, truth_.labels);
  EXPECT_EQ(shown->prediction.labels, prediction_.labels);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "previews/step_000005_validation_images__a.png"));
}

TEST_F(PreviewWriterTest, LargeImage_IsShownReducedWithItsFullSizeTold) {
  image_ = image_of(4, 4096, std::vector<int>(4 * 4096 * 3, 7));
  truth_ = {.height = 4, .width = 4096, .labels = std::vector<std::uint8_t>(4 * 4096, 1)};
  prediction_ = truth_;
  const run::SharedPreview shown = write(PreviewUse::shown);
  EXPECT_EQ(shown->full_width, 4096);
  EXPECT_EQ(shown->image.width, run::SamplePreview::kMostPixels);
  EXPECT_EQ(shown->image.height, 2);
  EXPECT_EQ(shown->truth.labels.size(), 2U * 2048U);
  EXPECT_DOUBLE_EQ(shown->mean_dice, 1);
}

TEST_F(PreviewWriterTest, FilesOnly_ReturnsNothing) {
  EXPECT_EQ(write(PreviewUse::files_only), nullptr);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "previews/step_000005_validation_images__a.png"));
}

}  // namespace
}  // namespace headroom::app
