#include "app/overlay.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/rgb_image.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::app {
namespace {

using tests::image_of;
using tests::values_of;

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
