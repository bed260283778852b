// YOLO's text files and folders with a mask per object, through the scan that a training uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/formats/mask_reader.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/core/formats/scanned_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LabelFilesTest : public tests::ScannedFolder {
 protected:
  void add_image(const std::filesystem::path& name, std::int64_t height = 2,
                 std::int64_t width = 4) const {
    tests::write_grey(tests::in_folder(folder_ / name), height, width, 9);
  }
  void add_mask(const std::filesystem::path& name, const std::vector<double>& values) const {
    tests::write_grey(tests::in_folder(folder_ / name), 2, 4, values);
  }
};

/// Columns 0 and 1 of both rows.
constexpr const char* kLeftHalf = "1 0 0 0.5 0 0.5 1 0 1\n";

TEST_F(LabelFilesTest, YoloPolygons_BecomeLabels) {
  add_image("images/train/a.png");
  add_image("images/train/b.png");
  add_image("images/val/a.png");
  add_text("labels/train/a.txt", std::string(kLeftHalf) + "\r\n0 0.75 0 1 0 1 0.5 0.75 0.5\r\n");
  add_text("labels/train/b.txt", "");
  add_text("labels/val/a.txt", "0 0 0 1 0 1 1 0 1");
  add_text("data.yaml", "train: images/train\nnc: 2\nnames:\n  - car # first\n  - 'red bus'\n");
  add_text("README.txt", "About these data.\n");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "yolo");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "car", "red bus"));
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_THAT(labels(dataset, 0), ElementsAre(2, 2, 0, 1, 2, 2, 0, 0));
  EXPECT_THAT(labels(dataset, 1), Each(0));
  EXPECT_THAT(labels(dataset, 2), Each(1));
  EXPECT_THAT(told(dataset), testing::IsEmpty());
}

TEST_F(LabelFilesTest, YoloNames_MayBeAMapAListOfLinesOrAbsent) {
  add_image("a.png");
  add_text("a.txt", kLeftHalf);
  EXPECT_THAT(scan().mapping.class_names, ElementsAre("background", "class_1"));
  add_text("classes.txt", "tree\r\nhouse\r\n");
  EXPECT_THAT(scan().mapping.class_names, ElementsAre("background", "tree", "house"));
  std::filesystem::remove(folder_ / "classes.txt");
  add_text("data.yml", "names: {0: oak, 1: \"beech\"}\n");
  EXPECT_THAT(scan().mapping.class_names, ElementsAre("background", "oak", "beech"));
  add_text("data.yml", "names: [pine, fir,\n  birch]\n");
  EXPECT_THAT(scan().mapping.class_names, ElementsAre("background", "pine", "fir", "birch"));
}

TEST_F(LabelFilesTest, BrokenYoloNames_AreAnErrorNamingTheFile) {
  add_image("a.png");
  add_text("a.txt", kLeftHalf);
  for (const char* const yaml : {"names: [a, b", "names: {0: a, 2: b}", "names: 3", "names: {x: a}",
                                 "names: [[a], {b: c}]"}) {
    add_text("data.yaml", yaml);
    EXPECT_THAT(told(scan()),
                Contains(AllOf(HasSubstr("error annotations-unreadable"), HasSubstr("data.yaml"))))
        << yaml;
  }
}

TEST_F(LabelFilesTest, BrokenYoloLines_AreErrorsNamingFileAndLine) {
  add_image("a.png");
  add_text("classes.txt", "tree\nhouse\n");
  for (const char* const line :
       {"0 0.5 0.5 0.2 0.2", "0 0 0 1 0 1", "2 0 0 1 0 1 1", "0 0 0 40 0 40 20", "0 0 0 1 0 x 1",
        "-1 0 0 1 0 1 1", "0.5 0 0 1 0 1 1", "0", "0 0 0 nan 0 1 1"}) {
    add_text("a.txt", std::string(kLeftHalf) + line + "\n");
    EXPECT_THAT(told(scan()),
                Contains(AllOf(HasSubstr("error annotation-"), HasSubstr("a.txt: line 2"))))
        << line;
  }
}

TEST_F(LabelFilesTest, ImageWithoutItsFile_IsUnlabelled) {
  add_image("a.png");
  add_image("b.png");
  add_text("a.txt", kLeftHalf);
  add_text("c.txt", kLeftHalf);
  const Dataset dataset = scan("yolo");
  EXPECT_THAT(dataset.unlabelled, ElementsAre("b.png"));
  EXPECT_THAT(told(dataset), Contains(HasSubstr("warning image-missing: c.txt")));
}

TEST_F(LabelFilesTest, TextBesideImages_IsNoYolo) {
  add_image("a.png");
  add_text("a.txt", "A picture of a car.");
  const auto error = tests::thrown_error([&] { static_cast<void>(scan()); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("no masks"));
}

TEST_F(LabelFilesTest, FolderPerImage_UnitesTheMasksOfItsObjects) {
  add_image("c1/images/c1.png");
  add_mask("c1/masks/x.png", {255, 255, 0, 0, 0, 0, 0, 0});
  add_mask("c1/masks/y.png", {0, 255, 0, 0, 0, 0, 0, 255});
  add_image("c2/images/c2.png");
  add_mask("c2/masks/z.png", {0, 0, 0, 0, 1, 0, 0, 0});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "instance-folders");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "object"));
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].id, "c1/images/c1.png");
  EXPECT_THAT(labels(dataset, 0), ElementsAre(1, 1, 0, 0, 0, 0, 0, 1));
  EXPECT_THAT(labels(dataset, 1), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(told(dataset), ElementsAre(HasSubstr("objects-overlap: 1 pixels in 1 images")));
  const std::string before = dataset.summary.fingerprint;
  add_mask("c2/masks/z.png", {0, 0, 0, 0, 1, 1, 0, 0});
  EXPECT_NE(scan().summary.fingerprint, before);
}

TEST_F(LabelFilesTest, ObjectMaskOfAnotherSizeOrBroken_IsAnErrorNamingIt) {
  add_image("c1/images/c1.png");
  add_mask("c1/masks/x.png", {255, 255, 0, 0, 0, 0, 0, 0});
  add_image("c1/masks/y.png", 3, 4);
  EXPECT_THAT(told(scan()), Contains(AllOf(HasSubstr("error mask-unreadable"), HasSubstr("y.png"),
                                           HasSubstr("4x3"))));
  add_text("c1/masks/y.png", "nothing");
  EXPECT_THAT(told(scan()),
              Contains(AllOf(HasSubstr("error mask-unreadable"), HasSubstr("y.png"))));
}

TEST(RealInstanceFolders, UnionOfTheirMasks_IsTheBinaryMask) {
  const auto folder = tests::real_data("label_formats/per_instance_mask_folders");
  const auto masks = tests::real_data("nuclei_dsb2018/masks_binary");
  if (!folder || !masks) GTEST_SKIP() << "no label_formats in $HEADROOM_TEST_DATA or shared/data";
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "instance-folders");
  ASSERT_EQ(dataset.samples.size(), 2U);
  // Counted with NumPy.
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, 32330 + 101417);
  base::ClassMapping binary{.class_names = {"background", "object"}};
  binary.ids = {{{.value = 0}, 0}, {{.value = 255}, 1}};
  EXPECT_EQ(make_sample_reader(dataset)->read(dataset.samples[0]).labels.labels,
            read_mask(*masks / dataset.samples[0].image.filename(), binary).labels);
}

}  // namespace
}  // namespace headroom::formats
