// Data folders whose labels are annotations, through the scan that a training uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/core/formats/scanned_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kIgnore = base::kIgnoreLabel;

class AnnotationScanTest : public tests::ScannedFolder {
 protected:
  void add_image(const std::filesystem::path& name, std::int64_t height, std::int64_t width) const {
    tests::write_grey(folder_ / name, height, width, 9);
  }
  /// Images 1 ("a.png", 2 x 4) and 2 ("b.png", 2 x 4), categories 3 car, 7 bus.
  void add_coco(const std::string& annotations,
                const std::filesystem::path& name = "instances.json") const {
    add_text(name, R"({"images": [{"id": 1, "file_name": "a.png", "height": 2, "width": 4},
                                  {"id": 2, "file_name": "b.png", "height": 2, "width": 4}],
                       "categories": [{"id": 7, "name": "bus"}, {"id": 3, "name": "car"}],
                       "annotations": [)" +
                       annotations + "]}");
  }
  [[nodiscard]] std::string scan_error(const std::string& layout = "auto") const {
    const auto error = tests::thrown_error([&] { static_cast<void>(scan(layout)); });
    return error && error->kind() == base::ErrorKind::unusable_data ? error->what() : "";
  }
  /// "code: message" of each finding.
  static std::vector<std::string> findings(const Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& finding : dataset.summary.findings)
      result.push_back(finding.code + ": " + finding.message);
    return result;
  }
  static std::vector<std::string> codes(const Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& finding : dataset.summary.findings) result.push_back(finding.code);
    return result;
  }
  static bool has_error(const Dataset& dataset) {
    return std::ranges::any_of(dataset.summary.findings, [](const base::Finding& finding) {
      return finding.severity == base::Severity::error;
    });
  }
};

constexpr const char* kLeftCar =
    R"({"id": 1, "image_id": 1, "category_id": 3, "segmentation": [[0, 0, 2, 0, 2, 2, 0, 2]]})";

TEST_F(AnnotationScanTest, CocoPolygonsRunsAndCrowds_BecomeLabels) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(std::string(kLeftCar) +
           R"(,{"id": 2, "image_id": 1, "category_id": 7, "iscrowd": 0,
                "segmentation": {"size": [2, 4], "counts": [3, 2, 3]}},
              {"id": 3, "image_id": 1, "category_id": 7, "iscrowd": 1,
                "segmentation": {"size": [2, 4], "counts": [7, 1]}},
              {"id": 4, "image_id": 2, "category_id": 7, "segmentation": [0, 0, 4, 0, 4, 1, 0, 1]})");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "coco");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "car", "bus"));
  EXPECT_THAT(labels(dataset, 0), ElementsAre(1, 1, 2, 0, 1, 2, 0, kIgnore));
  EXPECT_THAT(labels(dataset, 1), ElementsAre(2, 2, 2, 2, 0, 0, 0, 0));
  EXPECT_THAT(
      findings(dataset),
      ElementsAre("objects-overlap: 1 pixels in 1 images belong to several objects; the last "
                  "one counts"));
  EXPECT_EQ(dataset.summary.ignored_pixels, 1);
  ASSERT_EQ(dataset.summary.classes.size(), 3U);
  EXPECT_EQ(dataset.summary.classes[2].pixels, 6);
  EXPECT_EQ(dataset.summary.classes[2].images, 2);
  EXPECT_THAT(dataset.summary.classes[2].source_values, ElementsAre("bus"));
}

TEST_F(AnnotationScanTest, GivenMapping_DecidesByNames) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  add_text("map/m.json", R"({"background": {"class": 1, "name": "rest"}, "car": {"class": 0},
                             "other": "ignore"})");
  const Dataset dataset =
      scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "map/m.json"});
  EXPECT_THAT(labels(dataset), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_FALSE(has_error(dataset));
}

TEST_F(AnnotationScanTest, MappingWithoutAName_IsAnErrorNamingIt) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  add_text("map/m.json", R"({"background": {"class": 0}, "bus": {"class": 1}})");
  const Dataset dataset =
      scan_dataset({.folder = folder_.path(), .mapping_file = folder_ / "map/m.json"});
  EXPECT_THAT(findings(dataset), Contains(testing::AllOf(HasSubstr("value-not-in-mapping"),
                                                         HasSubstr("car"), HasSubstr("row 0"))));
}

TEST_F(AnnotationScanTest, BrokenCocoEntries_AreErrorsNamingFileEntryAndRemedy) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  const std::map<std::string, std::string> broken = {
      {R"("category_id": 5, "segmentation": [[0, 0, 2, 0, 2, 2]])", "category_id 5"},
      {R"("category_id": 3, "segmentation": [[0, 0, 2, 0, 2]])", "[0,0,2,0,2]"},
      {R"("category_id": 3, "segmentation": [["x"]])", "[\"x\"]"},
      {R"("category_id": 3, "segmentation": "x")", "\"x\""},
      {R"("category_id": 3, "segmentation": [[0, 0, 1e300, 0, 2, 2]])", "far outside"},
      {R"("category_id": 3, "segmentation": [])", "no outline"},
      {R"("category_id": 3, "segmentation": {"size": [2, 4], "counts": [5, 4]})", "beyond"},
      {R"("category_id": 3, "segmentation": {"size": [2, 4], "counts": "P"})", "cannot be read"},
      {R"("category_id": 3, "segmentation": {"size": [4, 2], "counts": [8]})", "for 2x4 pixels"}};
  for (const auto& [entry, named] : broken) {
    add_coco(std::string(kLeftCar) + R"(,{"id": 17, "image_id": 2, )" + entry + "}");
    const Dataset dataset = scan();
    EXPECT_TRUE(has_error(dataset)) << entry;
    EXPECT_THAT(
        findings(dataset),
        Contains(testing::AllOf(HasSubstr("instances.json: annotation 17"), HasSubstr(named))))
        << entry;
    EXPECT_EQ(dataset.samples.size(), 1U) << entry;
  }
}

TEST_F(AnnotationScanTest, OutlineOfTwoPositions_IsLeftOutWithAFinding) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(std::string(kLeftCar) +
           R"(,{"id": 2, "image_id": 1, "category_id": 7, "segmentation": [[0, 0, 4, 2]]},
              {"id": 3, "image_id": 1, "category_id": 7, "segmentation": [[9, 0, 12, 0, 12, 2]]},
              {"id": 4, "image_id": 9, "category_id": 7, "segmentation": [[0, 0, 4, 0, 4, 2]]})");
  const Dataset dataset = scan();
  EXPECT_THAT(labels(dataset), ElementsAre(1, 1, 0, 0, 1, 1, 0, 0));
  EXPECT_FALSE(has_error(dataset));
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("annotation-without-area: instances.json: "
                                                    "annotation 2 ")));
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("annotation-outside: instances.json: "
                                                    "annotation 3 ")));
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("annotation-without-image: instances.json: "
                                                    "annotation 4 ")));
}

TEST_F(AnnotationScanTest, ImagesMissingOrOfAnotherSize_AreFindings) {
  add_image("a.png", 3, 4);
  add_image("c.png", 2, 4);
  add_coco(kLeftCar);
  const Dataset dataset = scan();
  EXPECT_THAT(findings(dataset),
              Contains(testing::AllOf(HasSubstr("mask-size-differs: instances.json"),
                                      HasSubstr("4x2"), HasSubstr("4x3"))));
  EXPECT_THAT(findings(dataset),
              Contains(testing::AllOf(HasSubstr("image-missing"), HasSubstr("b.png"))));
  EXPECT_THAT(codes(dataset), Contains("mask-missing"));
  EXPECT_THAT(dataset.unlabelled, ElementsAre("c.png"));
  EXPECT_THAT(dataset.samples, IsEmpty());
}

TEST_F(AnnotationScanTest, CocoNames_FindImagesInOtherFolders) {
  add_image("train/a.png", 2, 4);
  add_image("train/b.png", 2, 4);
  add_image("val/a.png", 2, 4);
  add_coco(kLeftCar, "train/_annotations.coco.json");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].id, "train/a.png");
  EXPECT_EQ(dataset.samples[0].label_key, "train/a.png");
}

TEST_F(AnnotationScanTest, NameOfSeveralImages_IsAnErrorNamingThem) {
  add_image("x/a.png", 2, 4);
  add_image("y/a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  EXPECT_THAT(findings(scan()),
              Contains(testing::AllOf(HasSubstr("image-ambiguous"), HasSubstr("x/a.png"),
                                      HasSubstr("y/a.png"))));
}

TEST_F(AnnotationScanTest, ImageOfTwoDocuments_IsTakenOnce) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar, "1.json");
  add_coco(R"({"id": 1, "image_id": 1, "category_id": 7, "segmentation": [[0, 0, 4, 0, 4, 2]]})",
           "2.json");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.samples.size(), 2U);
  EXPECT_THAT(labels(dataset), ElementsAre(1, 1, 0, 0, 1, 1, 0, 0));
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("duplicate-mask: 2.json")));
}

TEST_F(AnnotationScanTest, CaptionsBesideOutlines_ArePassedOver) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar, "instances.json");
  add_coco(R"({"id": 1, "image_id": 1, "caption": "a car"})", "captions.json");
  const Dataset dataset = scan();
  EXPECT_FALSE(has_error(dataset));
  EXPECT_THAT(codes(dataset), Contains("annotations-passed-over"));
  EXPECT_THAT(labels(dataset), ElementsAre(1, 1, 0, 0, 1, 1, 0, 0));
}

TEST_F(AnnotationScanTest, LabelmeShapes_BecomeLabels) {
  add_image("a.jpg.png", 4, 6);
  add_text("a.jpg.json",
           R"({"version": "4.0.0", "imagePath": "..\\img\\a.jpg.png", "imageHeight": 4,
    "imageWidth": 6, "imageData": null, "shapes": [
      {"label": "field", "shape_type": "rectangle", "points": [[4, 3], [0, 0]]},
      {"label": "__ignore__", "points": [[0, 3], [6, 3], [6, 4], [0, 4]]},
      {"label": "disc", "shape_type": "circle", "points": [[4.5, 1.5], [5.6, 1.5]]},
      {"label": "way", "shape_type": "line", "points": [[0, 0], [5, 5]]}]})");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "labelme");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "disc", "field"));
  EXPECT_THAT(labels(dataset), ElementsAre(2, 2, 2, 2, 1, 0,  //
                                           2, 2, 2, 1, 1, 1,  //
                                           2, 2, 2, 2, 1, 0,  //
                                           kIgnore, kIgnore, kIgnore, kIgnore, kIgnore, kIgnore));
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("annotation-without-area: a.jpg.json: shape 4 "
                                                    "('way')")));
  EXPECT_FALSE(has_error(dataset));
}

TEST_F(AnnotationScanTest, BrokenLabelmeShapes_AreErrors) {
  add_image("a.png", 4, 6);
  for (const char* const shape :
       {R"({"label": "x", "shape_type": "circle", "points": [[1, 2]]})",
        R"({"label": "x", "shape_type": "mask", "points": [[1, 2], [3, 4]]})",
        R"({"label": "x", "points": [[1, 2], [3], [4, 5]]})", R"({"points": [[1, 2]]})", "7"}) {
    add_text("a.json", std::string(R"({"imagePath": "a.png", "shapes": [)") + shape + "]}");
    const Dataset dataset = scan();
    EXPECT_TRUE(has_error(dataset)) << shape;
    EXPECT_THAT(findings(dataset), Contains(HasSubstr("a.json: shape 1"))) << shape;
  }
}

TEST_F(AnnotationScanTest, RleCsv_CountsDownTheColumnsFromOne) {
  add_image("x/a.png", 2, 3);
  add_image("x/b.png", 2, 3);
  add_image("x/c.png", 2, 3);
  add_text("train.csv", "ImageId,EncodedPixels\r\na,1 2\r\na,\"2 3\"\r\nb,\r\n");
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "rle-csv");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "object"));
  EXPECT_THAT(labels(dataset, 0), ElementsAre(1, 1, 0, 1, 1, 0));
  EXPECT_THAT(labels(dataset, 1), Each(0));
  EXPECT_EQ(dataset.samples.size(), 2U);
  EXPECT_THAT(findings(dataset), Contains(HasSubstr("objects-overlap: 1 pixels in 1 images")));
  EXPECT_THAT(codes(dataset), Contains("mask-missing"));
}

TEST_F(AnnotationScanTest, RleCsvWithClasses_HasTheirNames) {
  add_image("a.png", 1, 3);
  add_text("train.csv", "ImageId,ClassId,EncodedPixels\na.png,4,1 1\na.png,2,3 1\n");
  const Dataset dataset = scan("rle-csv");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "2", "4"));
  EXPECT_THAT(dataset.summary.classes.at(1).source_values, ElementsAre("name:2"));
  EXPECT_THAT(labels(dataset), ElementsAre(2, 0, 1));
}

TEST_F(AnnotationScanTest, BrokenRleRows_AreErrorsNamingTheRow) {
  add_image("a.png", 2, 3);
  for (const char* const runs : {"5 3", "1", "0 1", "x"}) {
    add_text("t.csv", std::string("ImageId,EncodedPixels\na,1 1\na,") + runs + "\n");
    const Dataset dataset = scan();
    EXPECT_TRUE(has_error(dataset)) << runs;
    EXPECT_THAT(findings(dataset), Contains(HasSubstr("t.csv: row 3"))) << runs;
  }
}

TEST_F(AnnotationScanTest, BrokenDocuments_AreErrorsNamingThem) {
  add_image("a.png", 2, 4);
  add_text("x.json", "{\"images\": [");
  EXPECT_THAT(scan_error(), HasSubstr("x.json: no valid JSON at line 1"));
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  const Dataset dataset = scan();
  EXPECT_TRUE(has_error(dataset));
  EXPECT_THAT(codes(dataset), Contains("annotations-unreadable"));
}

TEST_F(AnnotationScanTest, OtherJson_IsNoAnnotation) {
  add_image("a.png", 2, 4);
  add_text("list.json", "[1, 2]");
  add_text("info.json", R"({"name": "data"})");
  EXPECT_THAT(scan_error(), HasSubstr("no masks"));
  EXPECT_THAT(scan_error("coco"), HasSubstr("no coco annotations"));
}

TEST_F(AnnotationScanTest, NoImageOfTheDocument_IsAnErrorNamingOne) {
  add_image("z.png", 2, 4);
  add_coco(kLeftCar);
  EXPECT_THAT(scan_error(), testing::AllOf(HasSubstr("instances.json"), HasSubstr("a.png")));
}

TEST_F(AnnotationScanTest, MasksBesideAnnotations_AreUsedUnlessALayoutIsGiven) {
  add_image("images/a.png", 2, 4);
  add_image("images/b.png", 2, 4);
  tests::write_grey(folder_ / "masks/a.png", 2, 4, std::vector<double>{0, 0, 0, 0, 0, 0, 0, 255});
  add_coco(kLeftCar);
  EXPECT_EQ(scan().summary.layout, "images-masks");
  EXPECT_EQ(scan("coco").summary.layout, "coco");
}

TEST_F(AnnotationScanTest, ChangedDocument_ChangesTheFingerprint) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  const std::string before = scan().summary.fingerprint;
  EXPECT_EQ(scan().summary.fingerprint, before);
  add_coco(R"({"id": 1, "image_id": 1, "category_id": 7, "segmentation": [[0, 0, 4, 0, 4, 2]]})");
  EXPECT_NE(scan().summary.fingerprint, before);
}

TEST_F(AnnotationScanTest, ReadersOfSeveralThreads_SeeTheSame) {
  add_image("a.png", 2, 4);
  add_image("b.png", 2, 4);
  add_coco(kLeftCar);
  const Dataset dataset = scan();
  const auto reader = make_sample_reader(dataset);
  const auto expected = reader->read(dataset.samples[0]).labels.labels;
  std::vector<int> equal(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : equal) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i)
          count += reader->read(dataset.samples[0]).labels.labels == expected ? 1 : 0;
      });
    }
  }
  EXPECT_THAT(equal, Each(20));
}

}  // namespace
}  // namespace headroom::formats
