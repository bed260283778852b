// Images without a mask: refused, left out or taken as background, and counted.
#include "core/formats/missing_masks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/formats/scanned_folder.hpp"

namespace headroom::formats {
namespace {

using base::MissingMasks;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class MissingMasksTest : public tests::ScannedFolder {
 protected:
  /// Ten images, eight masks, and a ninth mask without an image.
  MissingMasksTest() {
    for (int i = 0; i < 10; ++i) {
      const std::string name = std::to_string(i) + ".png";
      add_pair("images/" + name, "masks/" + name);
    }
    std::filesystem::remove(folder_ / "masks/3.png");
    std::filesystem::remove(folder_ / "masks/7.png");
    add_grey("masks/lone.png", 0);
  }
  static std::vector<base::Severity> severities_of(const Dataset& dataset,
                                                   const std::string& code) {
    std::vector<base::Severity> result;
    for (const auto& finding : dataset.summary.findings) {
      if (finding.code == code) result.push_back(finding.severity);
    }
    return result;
  }
};

TEST_F(MissingMasksTest, Skip_LeavesThemOutAndCounts) {
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.samples, 8);
  EXPECT_THAT(dataset.unlabelled, ElementsAre("images/3.png", "images/7.png"));
  EXPECT_THAT(
      findings(dataset),
      ElementsAre("mask-missing images/3.png", "mask-missing images/7.png",
                  "image-missing masks/lone.png", "images-without-mask ", "masks-without-image "));
  EXPECT_THAT(severities_of(dataset, "mask-missing"), Each(base::Severity::warning));
  EXPECT_THAT(message_of(dataset, "images-without-mask"), HasSubstr("2 of 10 images"));
  EXPECT_THAT(message_of(dataset, "masks-without-image"), HasSubstr("1 of 9 masks"));
  EXPECT_NO_THROW(require_usable(dataset.summary));
}

TEST_F(MissingMasksTest, Error_RefusesNamingFileAndRemedy) {
  const Dataset dataset = scan_with(MissingMasks::error);
  EXPECT_THAT(severities_of(dataset, "mask-missing"),
              ElementsAre(base::Severity::error, base::Severity::error));
  EXPECT_THAT(severities_of(dataset, "image-missing"), ElementsAre(base::Severity::error));
  const auto error = tests::thrown_error([&] { require_usable(dataset.summary); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), HasSubstr("images/3.png"));
  EXPECT_THAT(error->what(), HasSubstr("--missing-masks skip"));
}

TEST_F(MissingMasksTest, Background_MakesThemSamplesOfBackgroundAlone) {
  const Dataset dataset = scan_with(MissingMasks::background);
  EXPECT_EQ(dataset.summary.samples, 10);
  EXPECT_THAT(dataset.unlabelled, testing::IsEmpty());
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 8 * 4 + 2 * 6);
  EXPECT_EQ(dataset.summary.classes.at(0).images, 10);
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, 8 * 2);
  const auto sample = std::ranges::find(dataset.samples, "images/3.png", &data::Sample::id);
  ASSERT_NE(sample, dataset.samples.end());
  const auto decoded = make_sample_reader(dataset)->read(*sample);
  EXPECT_THAT(decoded.labels.labels, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_NO_THROW(require_usable(dataset.summary));
}

TEST_F(MissingMasksTest, Background_IsTheClassOfThatName) {
  add_text("classes.json",
           R"({"255": {"class": 0, "name": "leaf"}, "0": {"class": 1, "name": "Background"}})");
  const Dataset dataset = scan_with(MissingMasks::background);
  EXPECT_EQ(dataset.background, 1);
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, 8 * 4 + 2 * 6);
}

TEST_F(MissingMasksTest, BackgroundThatIsNoClass_IsAnError) {
  add_text("classes.json", R"({"255": {"class": 0, "name": "leaf"}, "0": "ignore"})");
  const Dataset dataset = scan_with(MissingMasks::background);
  EXPECT_THAT(findings(dataset), testing::Contains("background-missing images/3.png"));
  EXPECT_EQ(dataset.summary.samples, 8);
  EXPECT_THROW(require_usable(dataset.summary), base::Error);
}

TEST_F(MissingMasksTest, Background_IsIgnoredOutsideTheValidArea) {
  for (int i = 0; i < 10; ++i)
    add_mask("fov/" + std::to_string(i) + ".png", {0, 255, 255, 255, 255, 255});
  const Dataset dataset = scan_with(MissingMasks::background);
  EXPECT_EQ(dataset.summary.ignored_pixels, 10);
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 8 * 3 + 2 * 5);
  const auto sample = std::ranges::find(dataset.samples, "images/7.png", &data::Sample::id);
  const auto decoded = make_sample_reader(dataset)->read(*sample);
  EXPECT_THAT(decoded.labels.labels, ElementsAre(base::kIgnoreLabel, 0, 0, 0, 0, 0));
}

TEST_F(MissingMasksTest, EveryPageOfAStack_IsASample) {
  for (int page = 0; page < 3; ++page) {
    tests::write_raster(tests::in_folder(folder_ / "images/stack.tif"),
                        {.height = 2,
                         .width = 3,
                         .values = std::vector<double>(6, 1),
                         .driver = "GTiff",
                         .options = page == 0 ? std::vector<std::string>{}
                                              : std::vector<std::string>{"APPEND_SUBDATASET=YES"}});
  }
  EXPECT_EQ(scan_with(MissingMasks::background).summary.samples, 13);
}

TEST_F(MissingMasksTest, ChannelsWithoutAMask_AreOneImage) {
  add_grey("images/x_ch0.png", 1);
  add_grey("images/x_ch1.png", 2);
  for (int i = 0; i < 10; ++i) {
    const std::string stem = std::to_string(i);
    std::filesystem::rename(folder_ / ("images/" + stem + ".png"),
                            folder_ / ("images/" + stem + "_ch0.png"));
    add_grey("images/" + stem + "_ch1.png", 4);
  }
  const Dataset dataset = scan_with(MissingMasks::background);
  EXPECT_EQ(dataset.summary.samples, 11);
  EXPECT_EQ(dataset.summary.channels, 2);
  EXPECT_EQ(dataset.samples.back().id, "images/x_ch0.png");
  EXPECT_THAT(message_of(dataset, "images-without-mask"), HasSubstr("3 of 11 images"));
}

}  // namespace
}  // namespace headroom::formats
