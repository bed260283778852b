// Layouts of public data sets and of the programs that go with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/nnunet_description.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/scanned_folder.hpp"

namespace headroom::formats {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NnunetDescription, VersionTwo_NamesChannelsAndValues) {
  const auto description = parse_nnunet_description(
      R"({"channel_names": {"1": "T2", "0": "T1", "10": "CT"}, "file_ending": ".nii.gz",
          "labels": {"background": 0, "tumour": 2, "edema": 1, "ignore": 3}})",
      "dataset.json");
  EXPECT_THAT(description.channels, ElementsAre("T1", "T2", "CT"));
  EXPECT_EQ(description.file_ending, ".nii.gz");
  ASSERT_TRUE(description.labels);
  EXPECT_EQ(description.labels->names,
            (std::map<std::int64_t, std::string>{{0, "background"}, {1, "edema"}, {2, "tumour"}}));
  EXPECT_THAT(description.labels->ignored, ElementsAre(3));
}

TEST(NnunetDescription, VersionOne_NamesThemTheOtherWayRound) {
  const auto description = parse_nnunet_description(
      R"({"modality": {"0": "MRI"}, "labels": {"0": "background", "1": "heart"}})", "dataset.json");
  EXPECT_THAT(description.channels, ElementsAre("MRI"));
  EXPECT_EQ(description.labels->names,
            (std::map<std::int64_t, std::string>{{0, "background"}, {1, "heart"}}));
}

TEST(NnunetDescription, Regions_AreNoClasses) {
  EXPECT_FALSE(
      parse_nnunet_description(R"({"labels": {"background": 0, "whole": [1, 2]}})", "d").labels);
}

TEST(NnunetDescription, WrongForms_AreRefusedNamingTheFile) {
  for (const char* json : {"[]", "{", R"({"labels": {"a": "b"}})", R"({"labels": 3})",
                           R"({"labels": {"a": 1, "b": 1}})", R"({"channel_names": {"x": "T1"}})",
                           R"({"channel_names": ["T1"]})", R"({"labels": {"a": 1.5}})"}) {
    const auto error = tests::thrown_error(
        [&] { static_cast<void>(parse_nnunet_description(json, "some/dataset.json")); });
    ASSERT_TRUE(error) << json;
    EXPECT_THAT(error->what(), HasSubstr("some/dataset.json")) << json;
  }
}

class PublicLayouts : public tests::ScannedFolder {
 protected:
  void add_nnunet_case(const std::string& name) const {
    add_grey("imagesTr/" + name + "_0000.png", 5);
    add_grey("imagesTr/" + name + "_0001.png", 6);
    add_mask("labelsTr/" + name + ".png", {0, 0, 1, 1, 2, 2});
  }
  static std::vector<data::SplitSide> sides(const Dataset& dataset) {
    std::vector<data::SplitSide> sides;
    for (const data::Sample& sample : dataset.samples) sides.push_back(sample.side);
    return sides;
  }
};

TEST_F(PublicLayouts, Nnunet_TakesChannelsAndClassNames) {
  add_nnunet_case("BRATS_001");
  add_nnunet_case("BRATS_002");
  add_grey("imagesTs/BRATS_003_0000.png", 1);
  add_text("dataset.json",
           R"({"channel_names": {"0": "T1", "1": "T2"}, "file_ending": ".png",
               "labels": {"background": 0, "edema": 1, "tumour": 2, "necrosis": 3}})");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "nnunet");
  EXPECT_THAT(ids(dataset),
              ElementsAre("imagesTr/BRATS_001_0000.png", "imagesTr/BRATS_002_0000.png"));
  EXPECT_EQ(dataset.summary.channels, 2);
  EXPECT_THAT(class_names(dataset), ElementsAre("background", "edema", "tumour", "necrosis"));
  EXPECT_EQ(dataset.summary.classes[2].pixels, 4);
  EXPECT_THAT(dataset.unlabelled, ElementsAre("imagesTs/BRATS_003_0000.png"));
  EXPECT_THAT(findings(dataset), ElementsAre("unlabelled-images imagesTs",
                                             "channels-in-files imagesTr/BRATS_001_0000.png",
                                             "classes-from-layout ", "class-without-pixels "));
  const auto decoded = make_sample_reader(dataset)->read(dataset.samples[0]);
  EXPECT_THAT(tests::values_in(decoded.image), ElementsAre(5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6));
  EXPECT_THAT(decoded.labels.labels, ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST_F(PublicLayouts, NnunetOfColourImages_HasOneFileForThreeChannels) {
  tests::write_raster(
      tests::in_folder(folder_ / "imagesTr/a_0000.png"),
      {.height = 2, .width = 3, .channels = 3, .values = std::vector<double>(18, 1)});
  add_mask("labelsTr/a.png", {0, 0, 0, 1, 1, 1});
  add_text("dataset.json", R"({"channel_names": {"0": "R", "1": "G", "2": "B"},
                               "labels": {"background": 0, "road": 1}, "file_ending": ".png"})");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.channels, 3);
  EXPECT_THAT(findings(dataset), ElementsAre("classes-from-layout "));
}

TEST_F(PublicLayouts, NnunetWithFewerFilesThanChannels_IsAnError) {
  add_nnunet_case("a");
  add_text("dataset.json", R"({"channel_names": {"0": "R", "1": "G", "2": "B"},
                               "labels": {"background": 0, "x": 1, "y": 2}})");
  const Dataset dataset = scan();
  EXPECT_THAT(findings(dataset), Contains("channels-unlike-description imagesTr/a_0000.png"));
  EXPECT_THROW(require_usable(dataset.summary), base::Error);
}

TEST_F(PublicLayouts, DecathlonWithoutChannelMarks_IsPairedByName) {
  add_mask("Task02/imagesTr/la_003.png", {1, 1, 1, 1, 1, 1});
  add_mask("Task02/labelsTr/la_003.png", {0, 0, 0, 1, 1, 1});
  add_text("Task02/dataset.json",
           R"({"modality": {"0": "MRI"}, "labels": {"0": "background", "1": "left atrium"}})");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "nnunet");
  EXPECT_THAT(class_names(dataset), ElementsAre("background", "left atrium"));
}

TEST_F(PublicLayouts, NnunetFileOfAnotherEnding_IsAStray) {
  add_nnunet_case("a");
  add_grey("labelsTr/a.jpg", 0);
  add_text("dataset.json",
           R"({"labels": {"background": 0, "x": 1, "y": 2}, "file_ending": ".png"})");
  EXPECT_THAT(findings(scan()), Contains("stray-file labelsTr/a.jpg"));
}

TEST_F(PublicLayouts, NnunetValueThatIsNotNamed_SpeaksAgainstTheNames) {
  add_nnunet_case("a");
  add_text("dataset.json", R"({"labels": {"background": 0, "x": 1}})");
  const Dataset dataset = scan();
  EXPECT_THAT(message_of(dataset, "class-names-passed-over"), HasSubstr("the value 2"));
  EXPECT_EQ(dataset.summary.classes.size(), 3U);
}

TEST_F(PublicLayouts, NnunetWithoutItsDescription_IsReadByNames) {
  add_nnunet_case("a");
  EXPECT_THAT(findings(scan()), Contains("description-missing dataset.json"));
  add_text("dataset.json", "{");
  const Dataset dataset = scan();
  EXPECT_THAT(findings(dataset), Contains("description-unreadable dataset.json"));
  EXPECT_EQ(dataset.summary.channels, 2);
}

TEST_F(PublicLayouts, SeveralNnunetSets_AreRefused) {
  for (const char* set : {"Dataset001_A", "Dataset002_B"}) {
    add_pair(std::filesystem::path(set) / "imagesTr/a.png",
             std::filesystem::path(set) / "labelsTr/a.png");
  }
  EXPECT_EQ(scan_error().exit_code(), 3);
  EXPECT_THAT(scan_error().what(), HasSubstr("'Dataset001_A' and 'Dataset002_B'"));
}

TEST_F(PublicLayouts, Voc_TakesListedImagesAndTheirSides) {
  for (const char* stem : {"2007_1", "2007_2", "2007_3", "2007_4"})
    add_grey("VOC2012/JPEGImages/" + std::string(stem) + ".png", 1);
  add_mask("VOC2012/SegmentationClass/2007_1.png", {0, 1, 1, 2, 2, 255});
  add_mask("VOC2012/SegmentationClass/2007_3.png", {0, 1, 1, 2, 2, 0});
  add_mask("VOC2012/SegmentationObject/2007_1.png", {0, 1, 2, 3, 4, 255});
  add_text("VOC2012/ImageSets/Segmentation/train.txt", "2007_3 \r\n2007_9\r\n");
  add_text("VOC2012/ImageSets/Segmentation/val.txt", "2007_1\n\n2007_2\n");
  add_text("VOC2012/class_names.txt", "__ignore__\n_background_\ncat\ndog\ncow\n");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "voc");
  EXPECT_THAT(ids(dataset),
              ElementsAre("VOC2012/JPEGImages/2007_1.png", "VOC2012/JPEGImages/2007_3.png"));
  EXPECT_THAT(sides(dataset), ElementsAre(data::SplitSide::validation, data::SplitSide::train));
  EXPECT_THAT(class_names(dataset), ElementsAre("_background_", "cat", "dog", "cow"));
  EXPECT_EQ(dataset.summary.classes[2].pixels, 4);
  EXPECT_EQ(dataset.summary.ignored_pixels, 1);
  EXPECT_THAT(findings(dataset),
              ElementsAre("unlabelled-images VOC2012/JPEGImages",
                          "listed-image-missing VOC2012/ImageSets/Segmentation/train.txt",
                          "other-files VOC2012/SegmentationObject",
                          "mask-missing VOC2012/JPEGImages/2007_2.png", "images-without-mask ",
                          "classes-from-layout ", "class-without-pixels "));
}

TEST_F(PublicLayouts, VocWithoutLists_NamesNoSides) {
  add_pair("JPEGImages/a.jpg", "SegmentationClass/a.png");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "voc");
  EXPECT_THAT(sides(dataset), ElementsAre(data::SplitSide::none));
  EXPECT_THAT(findings(dataset), IsEmpty());
}

TEST_F(PublicLayouts, Cityscapes_TakesLabelIdsAndTheClassesThatCount) {
  const auto add = [&](const std::string& side, const std::string& name) {
    const std::string label = "gtFine/" + side + "/bonn/" + name + "_gtFine_";
    add_grey("leftImg8bit/" + side + "/bonn/" + name + "_leftImg8bit.png", 1);
    add_mask(label + "labelIds.png", {7, 7, 26, 3, 0, 11});
    add_mask(label + "labelTrainIds.png", {0, 0, 13, 255, 255, 2});
    add_mask(label + "instanceIds.png", {7, 7, 26, 3, 0, 11});
  };
  add("train", "bonn_000001_000019");
  add("val", "bonn_000002_000019");
  add("test", "bonn_000003_000019");
  Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "cityscapes");
  EXPECT_THAT(masks(dataset),
              ElementsAre("gtFine/train/bonn/bonn_000001_000019_gtFine_labelIds.png",
                          "gtFine/val/bonn/bonn_000002_000019_gtFine_labelIds.png"));
  ASSERT_EQ(dataset.summary.classes.size(), 19U);
  EXPECT_EQ(dataset.summary.classes[0].name, "road");
  EXPECT_EQ(dataset.summary.classes[0].pixels, 4);
  EXPECT_EQ(dataset.summary.classes[2].name, "building");
  EXPECT_EQ(dataset.summary.classes[13].name, "car");
  EXPECT_EQ(dataset.summary.classes[13].pixels, 2);
  EXPECT_EQ(dataset.summary.classes[18].name, "bicycle");
  EXPECT_EQ(dataset.summary.ignored_pixels, 4);
  EXPECT_THAT(findings(dataset),
              ElementsAre("other-files gtFine", "unlabelled-images leftImg8bit/test",
                          "classes-from-layout ", "class-without-pixels "));

  for (const char* name :
       {"train/bonn/bonn_000001", "val/bonn/bonn_000002", "test/bonn/bonn_000003"})
    std::filesystem::remove(folder_ /
                            ("gtFine/" + std::string(name) + "_000019_gtFine_labelIds.png"));
  dataset = scan();
  EXPECT_EQ(dataset.summary.classes.at(13).pixels, 2);
  EXPECT_EQ(dataset.summary.ignored_pixels, 4);
}

TEST_F(PublicLayouts, Ade20k_IgnoresWhatIsUnlabelled) {
  add_grey("images/training/ADE_train_00000001.jpg", 1);
  add_mask("annotations/training/ADE_train_00000001.png", {0, 1, 1, 4, 4, 150});
  add_grey("images/validation/ADE_val_00000001.jpg", 1);
  add_mask("annotations/validation/ADE_val_00000001.png", {0, 0, 1, 1, 4, 4});
  Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "ade20k");
  EXPECT_THAT(class_names(dataset), ElementsAre("class_1", "class_4", "class_150"));
  EXPECT_EQ(dataset.summary.ignored_pixels, 3);
  add_text("objectInfo150.txt",
           "Idx\tRatio\tTrain\tVal\tName\n1\t0.1\t9\t1\twall\n4\t0.1\t9\t1\tfloor, flooring\n"
           "150\t0.1\t9\t1\tflag\n");
  dataset = scan();
  EXPECT_THAT(class_names(dataset), ElementsAre("wall", "floor, flooring", "flag"));
  EXPECT_EQ(dataset.summary.classes[1].pixels, 4);
  EXPECT_EQ(dataset.summary.ignored_pixels, 3);
}

TEST_F(PublicLayouts, Ade20kForOtherNames_IsAskedFor) {
  add_grey("images/a.png", 1);
  add_mask("annotations/a.png", {0, 1, 1, 2, 2, 2});
  EXPECT_EQ(scan().summary.layout, "images-masks");
  EXPECT_EQ(scan("ade20k").summary.ignored_pixels, 1);
}

}  // namespace
}  // namespace headroom::formats
