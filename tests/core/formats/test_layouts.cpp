// Layouts that people make themselves: names of folders and files, and what is no sample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/scanned_folder.hpp"

namespace headroom::formats {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LayoutsTest : public tests::ScannedFolder {};

TEST_F(LayoutsTest, ExtensionsInAnyCase_Count) {
  const std::vector<std::pair<const char*, const char*>> spellings = {{"a.jpg", "JPEG"},
                                                                      {"b.JPG", "JPEG"},
                                                                      {"c.Png", "PNG"},
                                                                      {"d.TIF", "GTiff"},
                                                                      {"e.tiff", "GTiff"}};
  for (const auto& [name, driver] : spellings) {
    tests::write_raster(
        tests::in_folder(folder_ / "images" / name),
        {.height = 2, .width = 3, .values = std::vector<double>(6, 9), .driver = driver});
    add_mask("masks/" + std::string(name).substr(0, 1) + ".PNG", {0, 0, 0, 255, 255, 255});
  }
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.samples, 5);
  for (const auto& sample : dataset.samples)
    EXPECT_EQ(make_sample_reader(dataset)->read(sample).image.width, 3);
}

TEST_F(LayoutsTest, FoldersOfTiles_AreOneDataset) {
  add_pair("Tile 1/images/a.png", "Tile 1/masks/a.png");
  add_pair("Tile 2/images/a.png", "Tile 2/masks/a.png");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "tiles");
  EXPECT_THAT(ids(dataset), ElementsAre("Tile 1/images/a.png", "Tile 2/images/a.png"));
}

TEST_F(LayoutsTest, TrainAndValFolders_AreSplitFolders) {
  add_pair("train/images/a.png", "train/masks/a.png");
  add_pair("val/images/b.png", "val/masks/b.png");
  EXPECT_EQ(scan().summary.layout, "split-folders");
}

TEST_F(LayoutsTest, SplitInsideTheFolders_IsSplitFolders) {
  add_pair("images/train/a.png", "masks/train/a.png");
  add_pair("images/val/a.png", "masks/val/a.png");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "split-folders");
  EXPECT_THAT(masks(dataset), ElementsAre("masks/train/a.png", "masks/val/a.png"));
}

TEST_F(LayoutsTest, SplitInTheFoldersNames_IsSplitFolders) {
  add_pair("train_images/a.png", "train_masks/a.png");
  add_pair("val_images/a.png", "val_masks/a.png");
  EXPECT_EQ(scan().summary.layout, "split-folders");
}

TEST_F(LayoutsTest, MaskFolderWithoutItsImages_IsAStray) {
  add_pair("images_a/1.png", "masks_a/1.png");
  add_pair("images_b/1.png", "masks_b/1.png");
  add_grey("masks_c/1.png", 0);
  EXPECT_THAT(findings(scan()), ElementsAre("stray-masks masks_c"));
}

TEST_F(LayoutsTest, MaskOfTwoImages_IsSaid) {
  add_pair("images/a.png", "masks/a.png");
  add_grey("images/a_img.png", 1);
  EXPECT_THAT(findings(scan()), ElementsAre("mask-shared images/a_img.png"));
}

TEST_F(LayoutsTest, FolderAndItsMasks_AreCarvana) {
  add_pair("train/x_01.jpg", "train_masks/x_01_mask.png");
  add_pair("train/x_02.jpg", "train_masks/x_02_mask.png");
  add_grey("test/y.png", 1);
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "carvana");
  EXPECT_THAT(masks(dataset),
              ElementsAre("train_masks/x_01_mask.png", "train_masks/x_02_mask.png"));
  EXPECT_THAT(dataset.unlabelled, ElementsAre("test/y.png"));
  EXPECT_THAT(findings(dataset), ElementsAre("unlabelled-images test"));
}

TEST_F(LayoutsTest, Cellpose_TakesObjectsAsOneClass) {
  add_grey("train/000_img.png", 1);
  add_mask("train/000_masks.png", {0, 1, 1, 2, 3, 300 - 45});
  add_grey("train/001_img.png", 1);
  add_mask("train/001_masks.png", {0, 0, 0, 1, 1, 2});
  add_text("train/000_img_seg.npy", "no array");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "cellpose");
  EXPECT_THAT(ids(dataset), ElementsAre("train/000_img.png", "train/001_img.png"));
  EXPECT_THAT(class_names(dataset), ElementsAre("background", "object"));
  EXPECT_EQ(dataset.summary.classes[0].pixels, 1 + 3);
  EXPECT_EQ(dataset.summary.classes[1].pixels, 5 + 3);
  EXPECT_EQ(dataset.summary.ignored_pixels, 0);
  EXPECT_THAT(findings(dataset), ElementsAre("other-files train", "classes-from-layout "));
}

TEST_F(LayoutsTest, CellposeTiffs_NeedNoOtherSign) {
  for (const char* name : {"a.tif", "a_masks.tif"}) {
    tests::write_raster(folder_ / name,
                        {.width = 3, .values = {0, 1, 400}, .type = "UInt16", .driver = "GTiff"});
  }
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "cellpose");
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, 2);
}

TEST_F(LayoutsTest, MasksPngBesideImages_AreCellposeOnlyWhenAskedFor) {
  add_pair("a.png", "a_masks.png");
  EXPECT_EQ(scan().summary.layout, "suffix-pairs");
  EXPECT_EQ(scan("cellpose").summary.layout, "cellpose");
}

TEST_F(LayoutsTest, ImageAndAnnotationSuffixes_ArePairedInOneFolder) {
  add_pair("003_image.png", "003_annotation.png");
  EXPECT_THAT(masks(scan()), ElementsAre("003_annotation.png"));
}

TEST_F(LayoutsTest, LayoutThatIsNotThere_SaysWhatItWouldBeAndWhatIsThere) {
  add_pair("images/a.png", "masks/a.png");
  for (const char* layout :
       {"nnunet", "voc", "cityscapes", "carvana", "cellpose", "band-folders"}) {
    EXPECT_EQ(scan_error(layout).exit_code(), 3) << layout;
    EXPECT_THAT(scan_error(layout).what(), HasSubstr("it looks like images-masks")) << layout;
  }
  EXPECT_THAT(scan_error("voc").what(), HasSubstr("JPEGImages"));
}

TEST_F(LayoutsTest, FilesThatAreNoSamples_AreSaid) {
  add_pair("images/a.png", "masks/a.png");
  add_grey("overview.png", 1);
  EXPECT_THAT(findings(scan()), ElementsAre("unlabelled-images "));
}

}  // namespace
}  // namespace headroom::formats
