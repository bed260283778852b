#include "core/formats/leak_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/data/split.hpp"
#include "core/formats/generate.hpp"
#include "tests/core/formats/dicom_files.hpp"
#include "tests/core/formats/picture_copies.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Leaks : public testing::Test {
 protected:
  static base::Image generated(std::int64_t index) {
    return generate_sample({.size = 128}, index).image;
  }
  void add(const std::string& name, const base::Image& image) const {
    tests::write_png(folder_ / "images" / (name + ".png"), image);
    add_mask(name, image.height, image.width);
  }
  void add_mask(const std::string& name, std::int64_t height, std::int64_t width) const {
    std::vector<double> values(static_cast<std::size_t>(height * width));
    values[0] = 1;
    tests::write_grey(folder_ / "masks" / (name + ".png"), height, width, values);
  }
  /// The first `train` samples are trained on, the others validate.
  [[nodiscard]] std::vector<base::Finding> leaks(std::int64_t train) const {
    const Dataset dataset = scan_dataset({.folder = folder_.path()});
    data::Split split;
    for (std::int64_t i = 0; i < dataset.summary.samples; ++i)
      (i < train ? split.train : split.validation).push_back(i);
    return find_leaks(dataset, split);
  }
  static std::vector<std::string> lines(const std::vector<base::Finding>& findings) {
    std::vector<std::string> lines;
    for (const auto& finding : findings) {
      EXPECT_EQ(finding.severity, base::Severity::warning);
      lines.push_back(finding.code + " " + finding.file);
    }
    return lines;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(Leaks, DifferentPictures_AreNone) {
  for (int i = 0; i < 8; ++i) add(std::to_string(i), generated(i));
  EXPECT_THAT(leaks(5), IsEmpty());
}

TEST_F(Leaks, SamePixelsInAnotherFile_AreTold) {
  add("a", generated(0));
  add("b", generated(1));
  add("z", generated(0));
  const auto findings = leaks(2);
  EXPECT_THAT(lines(findings), ElementsAre("leak-equal-pixels images/z.png"));
  EXPECT_THAT(findings[0].message, HasSubstr("'images/a.png'"));
}

TEST_F(Leaks, CopiesOnOneSide_AreNone) {
  add("a", generated(0));
  add("b", generated(0));
  add("z", generated(1));
  EXPECT_THAT(leaks(2), IsEmpty());
}

TEST_F(Leaks, ChangedCopies_AreNearDuplicates) {
  for (int i = 0; i < 4; ++i) add("a" + std::to_string(i), generated(i));
  add("z0", tests::recoded_as_jpeg(generated(0), 60));
  add("z1", tests::brightened(generated(1), 0.8));
  add("z2", tests::halved(generated(2)));
  add("z3", tests::cropped(generated(3), 0.02));
  const auto findings = leaks(4);
  EXPECT_THAT(
      lines(findings),
      ElementsAre("leak-near-duplicate images/z0.png", "leak-near-duplicate images/z1.png",
                  "leak-near-duplicate images/z2.png", "leak-near-duplicate images/z3.png"));
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(findings[static_cast<std::size_t>(i)].message,
                HasSubstr("'images/a" + std::to_string(i) + ".png'"));
  }
}

TEST_F(Leaks, PicturesOfOneValue_AreNone) {
  base::Image black = generated(0);
  std::ranges::fill(black.pixels, std::byte{0});
  add("a", black);
  add("z", black);
  EXPECT_THAT(leaks(1), IsEmpty());
}

TEST_F(Leaks, ManyOfAKind_AreCounted) {
  for (int i = 0; i < 46; ++i) add(std::to_string(100 + i), generated(0));
  const auto findings = leaks(23);
  ASSERT_EQ(findings.size(), 21U);
  EXPECT_EQ(findings.back().code, "leak-equal-pixels");
  EXPECT_EQ(findings.back().message, "and 3 more of this kind");
}

class DicomLeaks : public Leaks {
 protected:
  void add_dicom(const std::string& name, const std::string& patient, const std::string& series) {
    // 2 x 2 pixels of 16 bits, different in every file.
    const std::string values = {static_cast<char>(++count_), 0, 7, 0, 8, 0, 9, 0};
    tests::write_dicom(tests::in_folder(folder_ / "images" / (name + ".dcm")),
                       {.rows = 2, .columns = 2, .series = series, .patient = patient}, values);
    add_mask(name, 2, 2);
  }

 private:
  int count_ = 0;
};

TEST_F(DicomLeaks, PatientOnBothSides_IsToldOnce) {
  add_dicom("a", "P1", "1.1");
  add_dicom("b", "P2", "1.2");
  add_dicom("x", "P1", "1.1");
  add_dicom("y", "P1", "1.3");
  add_dicom("z", "P3", "1.4");
  const auto findings = leaks(2);
  EXPECT_THAT(lines(findings), ElementsAre("leak-same-patient images/x.dcm"));
  EXPECT_THAT(findings[0].message,
              HasSubstr("patient 'P1' has 1 samples to train on and 2 to validate on"));
  EXPECT_THAT(findings[0].message, HasSubstr("--split-by patient"));
}

TEST_F(DicomLeaks, SeriesOfUnknownPatient_IsTold) {
  add_dicom("a", "", "1.1");
  add_dicom("z", "", "1.1");
  EXPECT_THAT(lines(leaks(1)), ElementsAre("leak-same-series images/z.dcm"));
}

TEST_F(DicomLeaks, SplitByPatient_HasNone) {
  for (int i = 0; i < 12; ++i)
    add_dicom(std::to_string(10 + i), "P" + std::to_string(i % 4), "1." + std::to_string(i));
  const Dataset dataset = scan_dataset({.folder = folder_.path()});
  const data::Split split =
      data::make_split(dataset.samples, {.from = "0.25", .by = "patient"}).split;
  EXPECT_EQ(split.validation.size(), 3U);
  EXPECT_THAT(find_leaks(dataset, split), IsEmpty());
}

class GroundLeaks : public Leaks {
 protected:
  /// 40 x 40 pixels of 10 m.
  void add_tile(const std::string& name, double x, double y) {
    tests::RasterSpec spec{.height = 40,
                           .width = 40,
                           .driver = "GTiff",
                           .crs = "EPSG:32633",
                           .geotransform = {x, 10, 0, y, 0, -10}};
    const base::Image image = generated(count_++);
    for (std::size_t i = 0; i < 1600; ++i)
      spec.values.push_back(static_cast<double>(image.pixels[7 * i]));
    tests::write_raster(tests::in_folder(folder_ / "images" / (name + ".tif")), spec);
    add_mask(name, 40, 40);
  }

 private:
  std::int64_t count_ = 0;
};

TEST_F(GroundLeaks, TilesOfTheSameGround_AreTold) {
  add_tile("a", 500000, 5000000);
  add_tile("b", 500400, 5000000);
  add_tile("y", 500800, 5000000);
  add_tile("z", 500500, 5000100);
  const auto findings = leaks(2);
  EXPECT_THAT(lines(findings), ElementsAre("leak-overlap images/z.tif"));
  // 300 m of 400 m by 300 m of 400 m.
  EXPECT_THAT(findings[0].message, HasSubstr("shares 56 % of its ground with 'images/b.tif'"));
}

}  // namespace
}  // namespace headroom::formats
