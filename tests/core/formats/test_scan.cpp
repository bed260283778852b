#include "core/formats/scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/formats/check_report.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/core/formats/scanned_folder.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ScanTest : public tests::ScannedFolder {};

TEST_F(ScanTest, ImagesAndMasks_ArePairedByStem) {
  add_pair("images/b.png", "masks/b.png");
  add_pair("images/a.png", "masks/a.bmp.png");
  add_pair("images/a.bmp.png", "masks/a.png");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "images-masks");
  EXPECT_THAT(ids(dataset), ElementsAre("images/a.bmp.png", "images/a.png", "images/b.png"));
  EXPECT_EQ(dataset.samples[0].mask.filename(), "a.bmp.png");
  EXPECT_EQ(dataset.samples[1].mask.filename(), "a.png");
  EXPECT_THAT(findings(dataset), IsEmpty());
}

TEST_F(ScanTest, Summary_CountsPixelsAndImages) {
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/b.png", "masks/b.png");
  const base::DatasetSummary summary = scan().summary;
  EXPECT_EQ(summary.samples, 2);
  EXPECT_EQ(summary.channels, 1);
  EXPECT_EQ(summary.max_width, 3);
  ASSERT_EQ(summary.classes.size(), 2U);
  EXPECT_EQ(summary.classes[0].pixels, 8);
  EXPECT_EQ(summary.classes[1].pixels, 4);
  EXPECT_EQ(summary.classes[1].images, 2);
  EXPECT_THAT(summary.classes[1].source_values, ElementsAre("255"));
}

struct FolderNames {
  const char* images;
  const char* masks;
};
class ScanFolderNames : public ScanTest, public testing::WithParamInterface<FolderNames> {};

TEST_P(ScanFolderNames, KnownNames_AreRecognised) {
  const std::filesystem::path images = GetParam().images, masks = GetParam().masks;
  add_pair(images / "a.png", masks / "a.png");
  EXPECT_EQ(scan().summary.samples, 1);
}

INSTANTIATE_TEST_SUITE_P(Names, ScanFolderNames,
                         testing::Values(FolderNames{"imgs", "labels"},
                                         FolderNames{"image", "mask"},
                                         FolderNames{"img_dir", "ann_dir"},
                                         FolderNames{"JPEGImages", "SegmentationClass"},
                                         FolderNames{"Images", "GT"},
                                         FolderNames{"train/image", "train/label"},
                                         FolderNames{"images/train", "masks/train"},
                                         FolderNames{"train_images", "train_masks"},
                                         FolderNames{"deep/er/images", "deep/er/masks_binary"}));

TEST_F(ScanTest, Suffixes_ArePaired) {
  add_pair("images/a.png", "masks/a_mask.png");
  add_pair("images/b.PNG", "masks/b_AVmanual.png");
  add_pair("images/c_sat.png", "masks/c_mask.png");
  EXPECT_THAT(ids(scan()), ElementsAre("images/a.png", "images/b.PNG", "images/c_sat.png"));
}

TEST_F(ScanTest, Prefix_IsNoPair) {
  add_pair("images/img1.png", "masks/img1.png");
  add_pair("images/img2.png", "masks/img20.png");
  EXPECT_THAT(findings(scan()),
              ElementsAre("mask-missing images/img2.png", "image-missing masks/img20.png",
                          "images-without-mask ", "masks-without-image "));
}

TEST_F(ScanTest, OtherBeginningsOfOneName_ArePaired) {
  add_pair("img_7.png", "mask_7.png");
  add_pair("img_70.png", "label_70.png");
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("img_7.png", "img_70.png"));
  EXPECT_EQ(dataset.samples[1].mask.filename(), "label_70.png");
  EXPECT_THAT(findings(dataset), IsEmpty());
}

TEST_F(ScanTest, OneFolderWithSuffixes_IsPaired) {
  add_pair("a.png", "a_mask.png");
  add_pair("b.png", "b-mask.png");
  tests::write_grey(folder_ / "c.png", 2, 3, 1);
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "suffix-pairs");
  EXPECT_THAT(ids(dataset), ElementsAre("a.png", "b.png"));
  EXPECT_THAT(findings(dataset), ElementsAre("mask-missing c.png", "images-without-mask "));
}

TEST_F(ScanTest, MaskBesideManualLabel_IsTheValidArea) {
  add_pair("a.png", "a_AVmanual.png");
  tests::write_grey(folder_ / "a_mask.png", 2, 3, std::vector<double>{0, 255, 255, 255, 255, 0});
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.samples[0].mask.filename(), "a_AVmanual.png");
  EXPECT_EQ(dataset.samples[0].valid_area->filename(), "a_mask.png");
  EXPECT_EQ(dataset.summary.ignored_pixels, 2);
  EXPECT_EQ(dataset.summary.classes[1].pixels, 1);
}

TEST_F(ScanTest, FieldOfViewFolder_IsTheValidArea) {
  add_pair("images/a.png", "labels/a.png");
  tests::write_grey(folder_ / "fov_mask/a_mask.png", 2, 3,
                    std::vector<double>{255, 255, 255, 255, 255, 0});
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 1U);
  ASSERT_TRUE(dataset.samples[0].valid_area);
  const auto decoded = make_sample_reader(dataset)->read(dataset.samples[0]);
  EXPECT_THAT(decoded.labels.labels, ElementsAre(0, 0, 0, 0, 1, base::kIgnoreLabel));
}

TEST_F(ScanTest, DriveLayout_TakesManualAsMaskAndMaskAsValidArea) {
  add_pair("training/images/a.png", "training/1st_manual/a_manual1.png");
  tests::write_grey(folder_ / "training/mask/a_mask.png", 2, 3, 255);
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.samples[0].mask.parent_path().filename(), "1st_manual");
  EXPECT_TRUE(dataset.samples[0].valid_area);
}

TEST_F(ScanTest, SeveralMaskFolders_TakesFewestValuesAndSaysSo) {
  add_pair("images/a.png", "masks_z_binary/a.png");
  tests::write_grey(folder_ / "masks_a_ids/a.png", 2, 3, std::vector<double>{0, 1, 2, 3, 4, 5});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.samples.at(0).mask.parent_path().filename(), "masks_z_binary");
  ASSERT_EQ(dataset.summary.findings.size(), 1U);
  EXPECT_EQ(dataset.summary.findings[0].code, "mask-folder-chosen");
  EXPECT_THAT(dataset.summary.findings[0].message, HasSubstr("'masks_z_binary'"));
}

TEST_F(ScanTest, ImagesWithoutMasks_AreListedAsUnlabelled) {
  add_pair("train/image/a.png", "train/label/a.png");
  tests::write_grey(folder_ / "test/0.png", 2, 3, 1);
  tests::write_grey(folder_ / "test/1.png", 2, 3, 1);
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.samples, 1);
  EXPECT_THAT(dataset.unlabelled, ElementsAre("test/0.png", "test/1.png"));
  EXPECT_THAT(findings(dataset), ElementsAre("unlabelled-images test"));
}

TEST_F(ScanTest, HiddenFiles_AreNoSamples) {
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/._a.png", "masks/._a.png");
  add_pair(".cache/images/b.png", ".cache/masks/b.png");
  add_pair("__MACOSX/images/b.png", "__MACOSX/masks/b.png");
  EXPECT_THAT(ids(scan()), ElementsAre("images/a.png"));
}

TEST_F(ScanTest, SymbolicLinks_AreFollowedAndLoopsNoticed) {
  const tests::TemporaryFolder elsewhere;
  tests::write_grey(elsewhere / "files/a.png", 2, 3, 1);
  tests::write_grey(folder_ / "masks/a.png", 2, 3, std::vector<double>{0, 0, 0, 255, 255, 255});
  std::filesystem::create_directory_symlink(elsewhere / "files", folder_ / "images");
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "masks/loop");
  std::filesystem::create_symlink("nowhere.png", folder_ / "masks/broken.png");
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/a.png"));
  EXPECT_THAT(findings(dataset), testing::UnorderedElementsAre("link-loop masks/loop",
                                                               "broken-link masks/broken.png"));
}

TEST_F(ScanTest, StrangeNames_GetReadableIdsAndAreRead) {
  add_pair("images/with space.png", "masks/with space.png");
  add_pair("images/größe.png", "masks/größe.png");
  add_pair("images/bad\xff.png", "masks/bad\xff.png");
  add_pair("images/bad\xfe.png", "masks/bad\xfe.png");
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset),
              ElementsAre("images/bad\xEF\xBF\xBD.png", "images/bad\xEF\xBF\xBD.png (2)",
                          "images/größe.png", "images/with space.png"));
  for (const auto& sample : dataset.samples) {
    EXPECT_EQ(make_sample_reader(dataset)->read(sample).image.width, 3);
  }
  EXPECT_TRUE(nlohmann::json::accept(check_report_json(dataset, {})));
}

TEST_F(ScanTest, DuplicateStems_AreFindings) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_grey(folder_ / "masks/a_mask.png", 2, 3, 0);
  tests::write_raster(folder_ / "images/a.tif",
                      {.height = 2, .width = 3, .values = {1, 2, 3, 4, 5, 6}, .driver = "GTiff"});
  EXPECT_THAT(findings(scan()),
              ElementsAre("duplicate-image images/a.tif", "duplicate-mask masks/a_mask.png"));
}

TEST_F(ScanTest, MaskOfAnotherSize_IsAnErrorNamingBoth) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_grey(folder_ / "images/b.png", 4, 4, 1);
  tests::write_grey(folder_ / "masks/b.png", 4, 5, 0);
  const Dataset dataset = scan();
  EXPECT_THAT(ids(dataset), ElementsAre("images/a.png"));
  EXPECT_THAT(findings(dataset), ElementsAre("mask-size-differs masks/b.png"));
  const auto error = tests::thrown_error([&] { require_usable(dataset.summary); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(),
              testing::AllOf(HasSubstr("masks/b.png: 5x4"), HasSubstr("images/b.png has 4x4")));
}

TEST_F(ScanTest, TruncatedFiles_AreErrorsNamingThem) {
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/b.png", "masks/b.png");
  tests::truncate_file(folder_ / "images/a.png", 50);
  tests::truncate_file(folder_ / "masks/b.png", 50);
  const Dataset dataset = scan();
  EXPECT_THAT(findings(dataset),
              ElementsAre("image-unreadable images/a.png", "mask-unreadable masks/b.png"));
  EXPECT_EQ(dataset.summary.samples, 0);
  EXPECT_THROW(require_usable(dataset.summary), base::Error);
}

TEST_F(ScanTest, RequireUsable_SaysHowManyMoreProblemsThereAre) {
  base::DatasetSummary summary{.root = "/d", .samples = 1};
  EXPECT_NO_THROW(require_usable(summary));
  summary.findings = {{base::Severity::warning, "w", "", "w"},
                      {base::Severity::error, "e", "", "first"},
                      {base::Severity::error, "e", "", "second"}};
  const auto error = tests::thrown_error([&] { require_usable(summary); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("first (and 1 more problems)"));
}

TEST_F(ScanTest, NoFolder_NoImages_NoMasks_NoPairs_AreUnusable) {
  EXPECT_THAT(scan_error().what(), HasSubstr("holds no images"));
  tests::write_grey(folder_ / "images/a.png", 2, 3, 1);
  EXPECT_THAT(scan_error().what(), HasSubstr("holds images, but no masks"));
  tests::write_grey(folder_ / "masks/b.png", 2, 3, 1);
  EXPECT_THAT(scan_error().what(), HasSubstr("for 'images/a.png' there is none"));
  EXPECT_EQ(scan_error().exit_code(), 3);
  const auto missing =
      tests::thrown_error([&] { static_cast<void>(scan_dataset({.folder = folder_ / "none"})); });
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->exit_code(), 3);
  EXPECT_THAT(missing->what(), HasSubstr("does not exist"));
}

TEST_F(ScanTest, LayoutAskedFor_MustFit) {
  add_pair("images/a.png", "masks/a.png");
  EXPECT_EQ(scan("images-masks").summary.samples, 1);
  EXPECT_EQ(scan_error("tiles").exit_code(), 3);
  EXPECT_EQ(scan_error("suffix-pairs").exit_code(), 3);
  EXPECT_EQ(scan_error("nonsense").exit_code(), 2);
  EXPECT_THAT(scan_error("nonsense").what(), HasSubstr("images-masks, split-folders, tiles"));
}

TEST_F(ScanTest, GivenMapping_NamesClassesAndRefusesOtherValues) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_text(folder_ / "map.json",
                    R"({"0": {"class": 0, "name": "soil"}, "255": {"class": 1, "name": "leaf"}})");
  tests::write_text(folder_ / "short.json", R"({"0": {"class": 0, "name": "soil"}})");
  const Dataset dataset =
      scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "map.json"});
  EXPECT_EQ(dataset.summary.classes.at(1).name, "leaf");
  const Dataset lacking =
      scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "short.json"});
  ASSERT_THAT(findings(lacking), ElementsAre("value-not-in-mapping masks/a.png"));
  EXPECT_THAT(lacking.summary.findings[0].message, HasSubstr("value 255 at column 1, row 1"));
  const auto error = tests::thrown_error([&] {
    static_cast<void>(
        scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "none.json"}));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
}

TEST_F(ScanTest, MaskKeys_AreCountedOverAllMasksWhateverTheMappingSays) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_grey(folder_ / "images/b.png", 1, 3, 9);
  tests::write_grey(folder_ / "masks/b.png", 1, 3, std::vector<double>{0, 7, 7});
  tests::write_text(folder_ / "short.json", R"({"0": {"class": 0, "name": "soil"}})");
  for (const auto& mapping : {std::filesystem::path(), folder_ / "short.json"}) {
    const Dataset dataset = scan_dataset({.folder = folder_.path(), .mapping_file = mapping});
    std::vector<std::array<std::int64_t, 3>> counts;
    for (const base::MaskKeySummary& each : dataset.summary.mask_keys) {
      EXPECT_FALSE(each.key.is_colour);
      counts.push_back({each.key.value, each.pixels, each.images});
    }
    using Count = std::array<std::int64_t, 3>;
    EXPECT_THAT(counts, ElementsAre(Count{0, 5, 2}, Count{7, 2, 1}, Count{255, 2, 1}));
  }
}

TEST_F(ScanTest, MaskKeys_OfPalettesAreColoursWhereTheMappingIsByColour) {
  tests::write_grey(folder_ / "images/a.png", 1, 4, 9);
  // Two indices of one colour are one key in one image.
  tests::write_raster(
      tests::in_folder(folder_ / "masks/a.png"),
      {.width = 4, .values = {0, 1, 2, 2}, .palette = {0x000000, 0xFF0000, 0xFF0000}});
  tests::write_grey(folder_ / "images/b.png", 1, 4, 9);
  tests::write_raster(tests::in_folder(folder_ / "masks/b.png"),
                      {.width = 4, .values = {0, 0, 0, 1}, .palette = {0xFF0000, 0x000000}});
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.summary.mask_keys.size(), 2U);
  EXPECT_EQ(to_string(dataset.summary.mask_keys[1].key), "#FF0000");
  EXPECT_EQ(dataset.summary.mask_keys[1].pixels, 6);
  EXPECT_EQ(dataset.summary.mask_keys[1].images, 2);
}

TEST_F(ScanTest, ClassesJsonInTheFolder_IsUsedWhenItCoversTheMasks) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_text(folder_ / "classes.json",
                    R"({"0": {"class": 0, "name": "soil"}, "255": {"class": 1, "name": "leaf"}})");
  EXPECT_EQ(scan().summary.classes.at(1).name, "leaf");
  EXPECT_THAT(findings(scan()), ElementsAre("mapping-from-folder classes.json"));
  tests::write_text(folder_ / "classes.json",
                    R"({"0": {"class": 0, "name": "soil"}, "7": {"class": 1, "name": "leaf"}})");
  EXPECT_EQ(scan().summary.classes.at(1).name, "foreground");
  tests::write_text(folder_ / "classes.json", R"({"classes": [{"title": "leaf"}]})");
  EXPECT_THAT(findings(scan()), ElementsAre("mapping-file-passed-over classes.json"));
}

TEST_F(ScanTest, ClassWithoutPixels_IsAWarning) {
  add_pair("images/a.png", "masks/a.png");
  tests::write_text(
      folder_ / "map.json",
      R"({"0": {"class": 0, "name": "a"}, "255": {"class": 1, "name": "b"}, "9": {"class": 2, "name": "c"}})");
  const Dataset dataset =
      scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "map.json"});
  EXPECT_THAT(findings(dataset), ElementsAre("class-without-pixels "));
}

TEST_F(ScanTest, DifferentBands_AreAnErrorAndDifferentDepthAWarning) {
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/b.png", "masks/b.png");
  add_pair("images/c.png", "masks/c.png");
  tests::write_raster(
      folder_ / "images/b.png",
      {.height = 2, .width = 3, .channels = 3, .values = std::vector<double>(18, 1)});
  tests::write_raster(
      folder_ / "images/c.png",
      {.height = 2, .width = 3, .values = std::vector<double>(6, 300), .type = "UInt16"});
  EXPECT_THAT(findings(scan()),
              ElementsAre("channels-differ images/b.png", "depth-differs images/c.png"));
}

TEST_F(ScanTest, AlphaOfAllImagesConstant_IsDroppedElseKept) {
  const auto write_alpha = [&](const char* name, double last) {
    tests::write_raster(folder_ / name, {.height = 1,
                                         .width = 2,
                                         .channels = 2,
                                         .values = {5, 255, 6, last},
                                         .last_is_alpha = true});
  };
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/b.png", "masks/b.png");
  for (const char* mask : {"masks/a.png", "masks/b.png"})
    tests::write_grey(folder_ / mask, 1, 2, std::vector<double>{0, 255});
  write_alpha("images/a.png", 255);
  write_alpha("images/b.png", 255);
  Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.channels, 1);
  EXPECT_EQ(make_sample_reader(dataset)->read(dataset.samples[0]).image.channels, 1);
  EXPECT_THAT(findings(dataset), ElementsAre("alpha-dropped "));
  write_alpha("images/b.png", 0);
  dataset = scan();
  EXPECT_EQ(dataset.summary.channels, 2);
  for (const auto& sample : dataset.samples)
    EXPECT_EQ(make_sample_reader(dataset)->read(sample).image.channels, 2);
  EXPECT_THAT(findings(dataset), ElementsAre("alpha-kept "));
}

TEST_F(ScanTest, TurnedAndPagedImages_AreWarnings) {
  add_pair("images/a.png", "masks/a.png");
  std::filesystem::remove(folder_ / "images/a.png");
  tests::write_raster(folder_ / "images/a.jpg", {.height = 2,
                                                 .width = 3,
                                                 .values = std::vector<double>(6, 7),
                                                 .driver = "JPEG",
                                                 .metadata_name = "EXIF_Orientation",
                                                 .metadata_value = "3"});
  EXPECT_THAT(findings(scan()), ElementsAre("exif-orientation images/a.jpg"));
}

TEST_F(ScanTest, TurnedMask_IsAWarningToo) {
  add_pair("images/a.png", "masks/a.png");
  std::filesystem::remove(folder_ / "masks/a.png");
  tests::write_raster(folder_ / "masks/a.jpg", {.height = 2,
                                                .width = 3,
                                                .values = std::vector<double>(6, 0),
                                                .driver = "JPEG",
                                                .metadata_name = "EXIF_Orientation",
                                                .metadata_value = "6"});
  EXPECT_THAT(findings(scan()), Contains("exif-orientation masks/a.jpg"));
}

TEST_F(ScanTest, NodataPixels_AreIgnoredByTheReader) {
  add_pair("images/a.png", "masks/a.png");
  std::filesystem::remove(folder_ / "images/a.png");
  tests::write_raster(folder_ / "images/a.tif", {.height = 2,
                                                 .width = 3,
                                                 .values = {1, -1, 2, 3, -1, 4},
                                                 .type = "Float32",
                                                 .driver = "GTiff",
                                                 .nodata = -1});
  const Dataset dataset = scan();
  const auto decoded = make_sample_reader(dataset)->read(dataset.samples.at(0));
  EXPECT_THAT(decoded.labels.labels,
              ElementsAre(0, base::kIgnoreLabel, 0, 0, base::kIgnoreLabel, 1));
}

TEST_F(ScanTest, FileChangedAfterTheScan_IsRefusedByTheReader) {
  add_pair("images/a.png", "masks/a.png");
  const Dataset dataset = scan();
  tests::write_grey(folder_ / "images/a.png", 5, 5, 1);
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(make_sample_reader(dataset)->read(dataset.samples[0])); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("5x5 pixels, the scan saw 3x2"));
}

TEST_F(ScanTest, Fingerprint_ChangesWithContentsAndNamesOnly) {
  add_pair("images/a.png", "masks/a.png");
  const std::string before = scan().summary.fingerprint;
  EXPECT_EQ(before.size(), 32U);
  EXPECT_EQ(scan().summary.fingerprint, before);
  tests::write_text(folder_ / "notes.txt", "nothing to do with it");
  EXPECT_EQ(scan().summary.fingerprint, before);
  tests::write_grey(folder_ / "images/a.png", 2, 3, 10);
  const std::string changed = scan().summary.fingerprint;
  EXPECT_NE(changed, before);
  std::filesystem::rename(folder_ / "images/a.png", folder_ / "images/b.png");
  std::filesystem::rename(folder_ / "masks/a.png", folder_ / "masks/b.png");
  EXPECT_NE(scan().summary.fingerprint, changed);
}

TEST_F(ScanTest, AnyNumberOfThreads_GivesTheSameResult) {
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i) + ".png";
    add_pair("images/" + name, "masks/" + name);
  }
  const Dataset one = scan_dataset({.folder = folder_.path(), .threads = 1});
  const Dataset four = scan_dataset({.folder = folder_.path(), .threads = 4});
  EXPECT_EQ(check_report_json(one, {}), check_report_json(four, {}));
  EXPECT_EQ(one.class_pixels, four.class_pixels);
}

TEST_F(ScanTest, Progress_EndsWithAllSamplesAndStopInterrupts) {
  add_pair("images/a.png", "masks/a.png");
  ScanProgress last;
  static_cast<void>(scan_dataset({.folder = folder_.path()},
                                 [&](const ScanProgress& progress) { last = progress; }));
  EXPECT_EQ(last.samples_done, 1);
  EXPECT_EQ(last.samples, 1);
  std::stop_source stop;
  stop.request_stop();
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(scan_dataset({.folder = folder_.path()}, {}, stop.get_token())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

TEST_F(ScanTest, CheckReport_HasTheKeysOfTheContract) {
  add_pair("images/a.png", "masks/a.png");
  add_pair("images/b.png", "masks/c.png");
  const auto json =
      nlohmann::json::parse(check_report_json(scan(), {.train = {0}, .validation = {}}));
  EXPECT_EQ(json.at("layout"), "images-masks");
  EXPECT_EQ(json.at("samples"), 1);
  EXPECT_EQ(json.at("channels"), 1);
  EXPECT_EQ(json.at("dtype"), "uint8");
  EXPECT_EQ(json.at("splits").at("train"), 1);
  EXPECT_EQ(json.at("splits").at("ids").at("train"), nlohmann::json({"images/a.png"}));
  EXPECT_TRUE(json.at("splits").at("ids").at("val").empty());
  const auto& entry = json.at("classes").at(1);
  EXPECT_EQ(entry.at("id"), 1);
  EXPECT_EQ(entry.at("name"), "foreground");
  EXPECT_EQ(entry.at("source_values").at(0), "255");
  EXPECT_EQ(entry.at("pixels"), 2);
  EXPECT_EQ(entry.at("images"), 1);
  const auto& finding = json.at("findings").at(0);
  EXPECT_EQ(finding.at("severity"), "warning");
  EXPECT_EQ(finding.at("code"), "mask-missing");
  EXPECT_EQ(finding.at("file"), "images/b.png");
  EXPECT_TRUE(finding.contains("message"));
}

}  // namespace
}  // namespace headroom::formats
