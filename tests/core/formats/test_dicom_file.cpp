#include "core/formats/dicom_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/formats/dicom_series.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/dicom_files.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/limited_read.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::bytes_of_values;
using tests::values_in;

class DicomFile : public testing::Test {
 protected:
  std::unique_ptr<RasterFile> open(const tests::DicomSpec& spec, const std::string& values) {
    tests::write_dicom(folder_ / "a", spec, values);
    return open_raster_file(folder_ / "a");
  }

  const tests::TemporaryFolder folder_;
};

const std::string& four_values() {
  static const std::string values = bytes_of_values<std::uint16_t>({0, 1, 1000, 4095});
  return values;
}

TEST_F(DicomFile, WithoutRescaleTags_KeepsStoredValues) {
  const auto file = open({.rows = 2, .columns = 2, .bits_stored = 12}, four_values());
  EXPECT_EQ(file->info().format, "DICOM");
  EXPECT_EQ(file->info().type, base::PixelType::u16);
  EXPECT_THAT(values_in(file->read()), ElementsAre(0, 1, 1000, 4095));
  EXPECT_THAT(values_in(file->read(0, {.left = 1, .top = 0, .width = 1, .height = 2})),
              ElementsAre(1, 4095));
}

TEST_F(DicomFile, WholeIntercept_GivesIntegers) {
  const auto file =
      open({.rows = 2, .columns = 2, .bits_stored = 12, .slope = "1", .intercept = "-1024"},
           four_values());
  EXPECT_EQ(file->info().type, base::PixelType::i16);
  EXPECT_THAT(values_in(file->read()), ElementsAre(-1024, -1023, -24, 3071));
}

TEST_F(DicomFile, FractionalAndNegativeSlopes_AreRealNumbers) {
  const auto quarter =
      open({.rows = 2, .columns = 2, .bits_stored = 12, .slope = "0.25", .intercept = "3000"},
           four_values());
  EXPECT_EQ(quarter->info().type, base::PixelType::f32);
  EXPECT_THAT(values_in(quarter->read()), ElementsAre(3000, 3000.25, 3250, 4023.75));
  const auto negative =
      open({.rows = 2, .columns = 2, .bits_stored = 12, .slope = "-10", .intercept = "3000"},
           four_values());
  EXPECT_THAT(values_in(negative->read()), ElementsAre(3000, 2990, -7000, -37950));
}

TEST_F(DicomFile, SignedValues_KeepTheirSign) {
  const auto file = open({.columns = 2, .is_signed = true, .slope = "2", .intercept = "1"},
                         bytes_of_values<std::int16_t>({-2000, 7}));
  EXPECT_THAT(values_in(file->read()), ElementsAre(-3999, 15));
}

TEST_F(DicomFile, Monochrome1_EqualsItsMonochrome2Twin) {
  const auto twin = open({.rows = 2, .columns = 2, .bits_stored = 12}, four_values());
  const std::vector<double> expected = values_in(twin->read());
  const auto file = open({.rows = 2, .columns = 2, .bits_stored = 12, .photometric = "MONOCHROME1"},
                         bytes_of_values<std::uint16_t>({4095, 4094, 3095, 0}));
  EXPECT_EQ(values_in(file->read()), expected);
}

TEST_F(DicomFile, Frames_ArePages) {
  const auto file =
      open({.columns = 2, .bits_allocated = 8, .bits_stored = 8, .frames = "3"}, "\1\2\3\4\5\6");
  EXPECT_EQ(file->info().pages, 3);
  EXPECT_THAT(values_in(file->read(2)), ElementsAre(5, 6));
}

TEST_F(DicomFile, FramesWithOwnScales_EachGetTheirOwn) {
  const auto frame = [](const char* slope, const char* intercept) {
    return tests::dicom_sequence(0x28, 0x9145,
                                 {tests::dicom_element(0x28, 0x1052, "DS", intercept) +
                                  tests::dicom_element(0x28, 0x1053, "DS", slope)});
  };
  const tests::DicomSpec spec = {
      .columns = 2,
      .frames = "2",
      .groups = tests::dicom_sequence(0x5200, 0x9230, {frame("1", "-1024"), frame("0.5", "3")})};
  const auto file = open(spec, four_values());
  EXPECT_EQ(file->info(0).type, base::PixelType::f32);
  EXPECT_EQ(file->info(1).type, base::PixelType::f32);
  EXPECT_THAT(values_in(file->read(0)), ElementsAre(-1024, -1023));
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(503, 2050.5));
}

TEST_F(DicomFile, OtherNumberOfDescribedFrames_IsRefused) {
  const std::string described = tests::dicom_sequence(0x5200, 0x9230, {"", "", ""});
  const auto error = tests::thrown_error([&] {
    static_cast<void>(open({.columns = 2, .frames = "2", .groups = described}, four_values()));
  });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("2 frames and describes 3"));
}

TEST_F(DicomFile, BitsOfFrames_FollowEachOtherWithoutABreak) {
  const auto file = open({.columns = 3, .bits_allocated = 1, .bits_stored = 1, .frames = "3"},
                         std::string("\xa9\x01", 2));
  EXPECT_THAT(values_in(file->read(0)), ElementsAre(1, 0, 0));
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(1, 0, 1));
  EXPECT_THAT(values_in(file->read(2)), ElementsAre(0, 1, 1));
}

TEST_F(DicomFile, PlanarColours_AreInterleaved) {
  const auto file = open({.columns = 2,
                          .samples = 3,
                          .planar = 1,
                          .bits_allocated = 8,
                          .bits_stored = 8,
                          .photometric = "RGB"},
                         "\1\2\3\4\5\6");
  EXPECT_EQ(file->info().channels, 3);
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST_F(DicomFile, FullYcbcr_BecomesRgb) {
  const auto file = open({.columns = 2,
                          .samples = 3,
                          .bits_allocated = 8,
                          .bits_stored = 8,
                          .photometric = "YBR_FULL"},
                         "\x4c\x55\xff\x80\x80\x80");
  // Y 76, Cb 85, Cr 255 by the equations of part 3, C.7.6.3.1.2: 254.05, 0.1, -0.2.
  EXPECT_THAT(values_in(file->read()), ElementsAre(254, 0, 0, 128, 128, 128));
}

TEST_F(DicomFile, MissingPixels_AreRefused) {
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(open({.rows = 64, .columns = 64}, four_values())->read()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
}

TEST_F(DicomFile, NoImage_IsRefusedByName) {
  tests::write_bytes(folder_ / "a.dcm", "this is no picture");
  const auto error =
      tests::thrown_error([&] { static_cast<void>(open_raster_file(folder_ / "a.dcm")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), testing::AllOf(HasSubstr("a.dcm"), HasSubstr("DICOM")));
}

class DicomSeriesOrder : public testing::Test {
 protected:
  std::filesystem::path add(const char* name, const char* position, const char* series = "1.2.3",
                            const char* orientation = "1\\0\\0\\0\\1\\0") {
    tests::write_dicom(folder_ / name,
                       {.series = series, .position = position, .orientation = orientation},
                       std::string(2, '\0'));
    return folder_ / name;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(DicomSeriesOrder, Files_AreOrderedByPositionAndNotByName) {
  const auto a = add("a", "0\\0\\10.5"), b = add("b", "0\\0\\-3"), c = add("c", "0\\0\\3.5");
  const DicomSeriesList list = find_dicom_series({}, {a, b, c});
  ASSERT_EQ(list.series.size(), 1U);
  EXPECT_THAT(list.series[0].files, ElementsAre(b, c, a));
  EXPECT_THAT(list.series[0].positions, ElementsAre(-3, 3.5, 10.5));
  EXPECT_THAT(list.findings, testing::IsEmpty());
}

TEST_F(DicomSeriesOrder, CoronalSlices_AreOrderedAlongTheirOwnNormal) {
  const char* coronal = "1\\0\\0\\0\\0\\-1";  // the normal is +y
  const auto a = add("a", "0\\9\\0", "1.2.3", coronal), b = add("b", "0\\-9\\5", "1.2.3", coronal);
  EXPECT_THAT(find_dicom_series({}, {a, b}).series.at(0).files, ElementsAre(b, a));
}

TEST_F(DicomSeriesOrder, SeveralSeries_AreKeptApart) {
  const auto a = add("a", "0\\0\\1", "1.2.4"), b = add("b", "0\\0\\0", "1.2.3"),
             c = add("c", "0\\0\\0", "1.2.4");
  const DicomSeriesList list = find_dicom_series({}, {a, b, c});
  ASSERT_EQ(list.series.size(), 2U);
  EXPECT_EQ(list.series[0].uid, "1.2.3");
  EXPECT_THAT(list.series[1].files, ElementsAre(c, a));
}

TEST_F(DicomSeriesOrder, StraysAndCopies_AreLeftOut) {
  const auto a = add("a", "0\\0\\1"), b = add("b", "0\\0\\1"), c = add("c", "");
  const DicomSeriesList list = find_dicom_series({}, {a, b, c});
  EXPECT_THAT(list.series.at(0).files, ElementsAre(a));
  ASSERT_EQ(list.findings.size(), 2U);
  EXPECT_EQ(list.findings[0].code, "no-slice-position");
  EXPECT_THAT(list.findings[0].file, HasSubstr("c"));
  EXPECT_EQ(list.findings[1].code, "slice-twice");
}

TEST_F(DicomSeriesOrder, TwoPicturesAtOnePosition_AreAnErrorThatNamesBoth) {
  const auto a = add("a", "0\\0\\1"), b = folder_ / "b";
  tests::write_dicom(b, {.instance = "1.2.3.5", .position = "0\\0\\1"}, std::string(2, '\0'));
  const DicomSeriesList list = find_dicom_series({}, {a, b});
  EXPECT_THAT(list.series, testing::IsEmpty());
  ASSERT_EQ(list.findings.size(), 1U);
  EXPECT_EQ(list.findings[0].code, "slices-at-one-position");
  EXPECT_EQ(list.findings[0].severity, base::Severity::error);
  EXPECT_THAT(list.findings[0].message,
              testing::AllOf(HasSubstr(a.string()), HasSubstr(b.string())));
}

TEST_F(DicomSeriesOrder, OtherOrientation_IsAVolumeOfItsOwn) {
  const auto a = add("a", "0\\0\\1"), b = add("b", "0\\0\\2"),
             c = add("c", "0\\0\\3", "1.2.3", "0\\1\\0\\0\\0\\-1");
  const DicomSeriesList list = find_dicom_series({}, {a, b, c});
  ASSERT_EQ(list.series.size(), 2U);
  EXPECT_THAT(list.series[0].files, ElementsAre(a, b));
  ASSERT_EQ(list.findings.size(), 1U);
  EXPECT_EQ(list.findings[0].code, "slices-differ");
  EXPECT_THAT(list.findings[0].message,
              testing::AllOf(HasSubstr("1 slices"), HasSubstr(a.string())));
}

TEST_F(DicomSeriesOrder, Geometry_IsInRightFrontAndHeadCoordinates) {
  const auto a = folder_ / "a", b = folder_ / "b";
  for (const auto& [file, position] : {std::pair{a, "10\\20\\30"}, std::pair{b, "10\\20\\34"}}) {
    tests::write_dicom(
        file, {.columns = 3, .instance = file.string(), .position = position, .spacing = "2\\0.5"},
        std::string(6, '\0'));
  }
  const VolumeGeometry geometry = find_dicom_series({}, {a, b}).series.at(0).geometry;
  EXPECT_THAT(geometry.sizes, ElementsAre(3, 1, 2));
  ASSERT_TRUE(geometry.affine);
  EXPECT_THAT(*geometry.affine, ElementsAre(ElementsAre(-0.5, 0, 0, -10),
                                            ElementsAre(0, -2, 0, -20), ElementsAre(0, 0, 4, 30)));
}

TEST(CtSeries, SlicesByPosition_MatchTheVolumesLabels) {
  const auto folder = tests::real_data("ct_totalseg");
  if (!folder) GTEST_SKIP() << "no ct_totalseg in $HEADROOM_TEST_DATA or shared/data";
  const DicomSeriesList list =
      find_dicom_series({}, tests::files_below(*folder / "example_ct_dicom"));
  ASSERT_EQ(list.series.size(), 1U);
  ASSERT_EQ(list.series[0].files.size(), 20U);
  EXPECT_NEAR(list.series[0].positions.front(), -804.5, 0.01);
  EXPECT_NEAR(list.series[0].positions.back(), -766.5, 0.01);
  // The labels' j axis runs against the picture's rows. Ids 25 to 50 are vertebrae; NumPy, pydicom
  // and nibabel give their number and mean.
  const auto labels = open_raster_file(*folder / "example_seg_dicom.nii.gz");
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t z = 0; z < 20; ++z) {
    const auto hu =
        values_in(open_raster_file(list.series[0].files[static_cast<std::size_t>(z)])->read());
    const auto ids = values_in(labels->read(z));
    for (std::size_t y = 0; y < 512; ++y) {
      for (std::size_t x = 0; x < 512; ++x) {
        const double id = ids[(511 - y) * 512 + x];
        if (id < 25 || id > 50) continue;
        sum += hu[y * 512 + x];
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 33506);
  EXPECT_NEAR(sum / static_cast<double>(count), 274.3144511430788, 1e-6);
}

}  // namespace
}  // namespace headroom::formats
