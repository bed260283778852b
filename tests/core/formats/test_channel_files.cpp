// Samples whose channels are in several files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/formats/channel_name.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/scanned_folder.hpp"

namespace headroom::formats {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ChannelName, MarksAreFourDigitsOrAWordWithANumber) {
  const auto base_of = [](const char* stem) {
    const auto name = channel_of_stem(stem);
    return name ? name->base : "";
  };
  for (const char* stem : {"a_0000", "a_ch0", "a-CH12", "a_C1", "a_channel3", "a_band7", "a_B8A"})
    EXPECT_EQ(base_of(stem), "a") << stem;
  for (const char* stem : {"a_000", "a_00000", "a_7", "a_ch", "a_chx", "ch0", "_ch0", "a_8A", "a"})
    EXPECT_EQ(base_of(stem), "") << stem;
  EXPECT_LT(channel_of_stem("a_ch2")->mark, channel_of_stem("a_ch10")->mark);
  EXPECT_LT(channel_of_stem("a_B08")->mark, channel_of_stem("a_B8A")->mark);
  EXPECT_LT(channel_of_stem("a_B8A")->mark, channel_of_stem("a_B09")->mark);
}

class ChannelFilesTest : public tests::ScannedFolder {
 protected:
  void add_sample(const std::string& stem, double first, double second) const {
    add_grey("images/" + stem + "_ch0.png", first);
    add_grey("images/" + stem + "_ch1.png", second);
    add_mask("masks/" + stem + ".png", {0, 0, 0, 255, 255, 255});
  }
  static std::vector<double> first_pixel(const Dataset& dataset, std::size_t sample) {
    const auto decoded = make_sample_reader(dataset)->read(dataset.samples.at(sample));
    const auto values = tests::values_in(decoded.image);
    return {values.begin(), values.begin() + decoded.image.channels};
  }
};

TEST_F(ChannelFilesTest, FilesOfOneMask_AreStackedInTheirOrder) {
  add_sample("a", 10, 20);
  add_sample("b", 30, 40);
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "images-masks");
  EXPECT_THAT(ids(dataset), ElementsAre("images/a_ch0.png", "images/b_ch0.png"));
  EXPECT_EQ(dataset.summary.channels, 2);
  EXPECT_THAT(first_pixel(dataset, 1), ElementsAre(30, 40));
  EXPECT_THAT(findings(dataset), ElementsAre("channels-in-files images/a_ch0.png"));
  EXPECT_THAT(message_of(dataset, "channels-in-files"), HasSubstr("2 channels"));
  EXPECT_THAT(message_of(dataset, "channels-in-files"), HasSubstr("_ch0, _ch1"));
}

TEST_F(ChannelFilesTest, FilesOfSeveralBands_AddUp) {
  tests::write_raster(tests::in_folder(folder_ / "images/a_0000.tif"),
                      {.width = 2, .channels = 2, .values = {1, 2, 3, 4}, .driver = "GTiff"});
  tests::write_raster(tests::in_folder(folder_ / "images/a_0001.tif"),
                      {.width = 2, .values = {5, 6}, .driver = "GTiff"});
  tests::write_grey(folder_ / "masks/a.png", 1, 2, std::vector<double>{0, 1});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.channels, 3);
  const auto decoded = make_sample_reader(dataset)->read(dataset.samples.at(0));
  EXPECT_THAT(tests::values_in(decoded.image), ElementsAre(1, 2, 5, 3, 4, 6));
}

TEST_F(ChannelFilesTest, OneFolder_IsPairedToo) {
  add_grey("a_ch1.png", 1);
  add_grey("a_ch2.png", 2);
  add_mask("a_mask.png", {0, 0, 0, 255, 255, 255});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "suffix-pairs");
  EXPECT_THAT(first_pixel(dataset, 0), ElementsAre(1, 2));
}

TEST_F(ChannelFilesTest, NumberedPicturesWithMasksOfTheirOwn_AreNoChannels) {
  add_pair("images/frame_0000.png", "masks/frame_0000.png");
  add_pair("images/frame_0001.png", "masks/frame_0001.png");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.samples, 2);
  EXPECT_EQ(dataset.summary.channels, 1);
  EXPECT_THAT(findings(dataset), IsEmpty());
}

TEST_F(ChannelFilesTest, NumberedPictureWithoutItsMask_IsNoChannelOfAnother) {
  add_pair("images/frame_0000.png", "masks/frame_0000.png");
  add_grey("images/frame_0001.png", 1);
  add_grey("masks/frame.png", 0);
  EXPECT_THAT(findings(scan()), AllOf(testing::Contains("mask-missing images/frame_0001.png"),
                                      testing::Contains("image-missing masks/frame.png")));
}

TEST_F(ChannelFilesTest, NumbersThatDoNotCountFromZero_AreNoChannels) {
  add_pair("images/a.png", "masks/a.png");
  add_grey("images/seq_0010.png", 1);
  add_grey("images/seq_0025.png", 1);
  add_grey("masks/seq.png", 0);
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/a.png"));
  EXPECT_EQ(dataset.unlabelled.size(), 2U);
}

TEST_F(ChannelFilesTest, MissingChannel_IsAnErrorNamingTheSample) {
  add_sample("a", 1, 2);
  add_sample("b", 3, 4);
  std::filesystem::remove(folder_ / "images/b_ch1.png");
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/a_ch0.png"));
  EXPECT_THAT(findings(dataset), testing::Contains("channel-missing images/b_ch0.png"));
  EXPECT_THAT(message_of(dataset, "channel-missing"), HasSubstr("_ch0, _ch1"));
  EXPECT_THROW(require_usable(dataset.summary), base::Error);
}

TEST_F(ChannelFilesTest, OtherSizeOrDepth_IsAnErrorNamingBoth) {
  add_sample("a", 1, 2);
  add_sample("b", 3, 4);
  tests::write_grey(folder_ / "images/a_ch1.png", 4, 3, 2);
  tests::write_raster(
      folder_ / "images/b_ch1.png",
      {.height = 2, .width = 3, .values = std::vector<double>(6, 300), .type = "UInt16"});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.samples, 0);
  EXPECT_THAT(findings(dataset), testing::IsSupersetOf({"channels-do-not-fit images/a_ch1.png",
                                                        "channels-do-not-fit images/b_ch1.png"}));
  EXPECT_THAT(message_of(dataset, "channels-do-not-fit"),
              AllOf(HasSubstr("images/a_ch1.png: 3x4 pixels"), HasSubstr("images/a_ch0.png"),
                    HasSubstr("3x2")));
}

TEST_F(ChannelFilesTest, NanAsNodataOfBothFiles_IsOneNodataValue) {
  for (const char* name : {"images/a_ch0.tif", "images/a_ch1.tif"}) {
    tests::write_raster(tests::in_folder(folder_ / name),
                        {.width = 2,
                         .values = {1, 2},
                         .type = "Float32",
                         .driver = "GTiff",
                         .nodata = std::numeric_limits<double>::quiet_NaN()});
  }
  tests::write_grey(folder_ / "masks/a.png", 1, 2, std::vector<double>{0, 255});
  EXPECT_THAT(first_pixel(scan(), 0), ElementsAre(1, 1));
}

TEST_F(ChannelFilesTest, FileChangedAfterTheScan_IsRefusedByTheReader) {
  add_sample("a", 1, 2);
  const Dataset dataset = scan();
  tests::write_grey(folder_ / "images/a_ch1.png", 5, 5, 1);
  EXPECT_THROW(static_cast<void>(make_sample_reader(dataset)->read(dataset.samples.at(0))),
               base::Error);
}

TEST_F(ChannelFilesTest, EveryFile_CountsForTheFingerprint) {
  add_sample("a", 1, 2);
  const std::string before = scan().summary.fingerprint;
  add_grey("images/a_ch1.png", 3);
  EXPECT_NE(scan().summary.fingerprint, before);
}

TEST_F(ChannelFilesTest, BandFolders_AreStackedByColourThenNumber) {
  for (const auto& [folder, value] : std::vector<std::pair<std::string, double>>{
           {"nir", 4}, {"red", 1}, {"green", 2}, {"blue", 3}})
    add_grey("train_" + folder + "/" + folder + "_p1.png", value);
  add_mask("train_gt/gt_p1.png", {0, 0, 0, 255, 255, 255});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "band-folders");
  EXPECT_THAT(ids(dataset), ElementsAre("train_red/red_p1.png"));
  EXPECT_THAT(first_pixel(dataset, 0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(findings(dataset), ElementsAre("channels-in-files train_red"));
}

TEST_F(ChannelFilesTest, BandFoldersInTheImageFolder_NeedEveryFile) {
  for (const char* name : {"x.tif", "y.tif"}) {
    for (const char* band : {"B8A", "B08", "B11"})
      tests::write_raster(tests::in_folder(folder_ / "images" / band / name),
                          {.width = 2, .values = {1, 2}, .driver = "GTiff"});
    tests::write_grey(folder_ / "masks" / std::filesystem::path(name).replace_extension("png"), 1,
                      2, std::vector<double>{0, 255});
  }
  Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/B08/x.tif", "images/B08/y.tif"));
  EXPECT_THAT(message_of(dataset, "channels-in-files"), HasSubstr("B08, B8A, B11"));
  std::filesystem::remove(folder_ / "images/B11/y.tif");
  dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/B08/x.tif"));
  EXPECT_THAT(message_of(dataset, "channel-missing"), HasSubstr("images/B11"));
}

}  // namespace
}  // namespace headroom::formats
