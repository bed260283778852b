// Folders of volumes, from the scan to the pixels of a sample. Values of real data are pydicom's,
// nibabel's and NumPy's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/dicom_files.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/nifti_files.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::bytes_of_values;
using tests::in_folder;
using tests::values_in;

std::vector<std::string> codes_of(const Dataset& dataset) {
  std::vector<std::string> codes;
  for (const auto& finding : dataset.summary.findings) codes.push_back(finding.code);
  return codes;
}

const base::Finding* find_code(const Dataset& dataset, const std::string& code) {
  const auto& findings = dataset.summary.findings;
  const auto found = std::ranges::find(findings, code, &base::Finding::code);
  return found == findings.end() ? nullptr : &*found;
}

data::DecodedSample read(const Dataset& dataset, std::size_t index) {
  return make_sample_reader(dataset)->read(dataset.samples.at(index));
}

class Volumes : public testing::Test {
 protected:
  /// Slices of 2 x 2 pixels, 2 mm wide, 3 mm apart, whose names run against their positions. The
  /// value at column x, row y, slice z is 100 z + 10 y + x - 1000.
  void write_series(const std::string& folder, std::int64_t count,
                    const std::string& uid = "1.2.3") {
    for (std::int64_t z = 0; z < count; ++z) write_slice(folder, z, count - z, uid);
  }

  void write_slice(const std::string& folder, std::int64_t z, std::int64_t number,
                   const std::string& uid = "1.2.3") {
    std::vector<std::uint16_t> values;
    for (std::int64_t y = 0; y < 2; ++y) {
      for (std::int64_t x = 0; x < 2; ++x)
        values.push_back(static_cast<std::uint16_t>(100 * z + 10 * y + x));
    }
    tests::write_dicom(in_folder(folder_ / folder / ("IM" + std::to_string(number))),
                       {.rows = 2,
                        .columns = 2,
                        .bits_stored = 12,
                        .slope = "1",
                        .intercept = "-1000",
                        .series = uid,
                        .instance = uid + "." + std::to_string(number),
                        .position = "-10\\-20\\" + std::to_string(30 + 3 * z),
                        .spacing = "2\\2"},
                       bytes_of_values(values));
  }

  /// uint8 labels on a series' grid, which the affine lays out.
  void write_labels(const std::string& file, const std::array<float, 12>& affine,
                    const std::string& values, const std::vector<std::int16_t>& sizes = {2, 2, 3}) {
    tests::write_bytes(
        in_folder(folder_ / file),
        tests::nifti_1({.sizes = sizes, .datatype = 2, .bits = 8, .affine = affine}, values));
  }

  [[nodiscard]] Dataset scan(std::optional<SliceAxis> axis = {}) const {
    return scan_dataset({.folder = folder_.path(), .slice_axis = axis});
  }

  // DICOM counts to the left and back, NIfTI to the right and front.
  static constexpr std::array<float, 12> kAsSeries = {-2, 0, 0, 10, 0, -2, 0, 20, 0, 0, 3, 30};
  /// Columns to the right, rows to the front, as most NIfTI files have them.
  static constexpr std::array<float, 12> kRas = {2, 0, 0, 8, 0, 2, 0, 18, 0, 0, 3, 30};

  const tests::TemporaryFolder folder_;
};

TEST_F(Volumes, SeriesWithoutExtensions_IsOrderedByPosition) {
  write_series("ct", 3);
  write_labels("labels.nii", kAsSeries, std::string(11, '\0') + '\1');
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "volumes");
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_EQ(dataset.samples[0].id, "ct#1");
  EXPECT_EQ(dataset.samples[0].image, dataset.samples[2].image);
  EXPECT_THAT(values_in(read(dataset, 0).image), ElementsAre(-1000, -999, -990, -989));
  EXPECT_THAT(values_in(read(dataset, 2).image), ElementsAre(-800, -799, -790, -789));
  EXPECT_THAT(read(dataset, 2).labels.labels, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(codes_of(dataset), ElementsAre("volumes-paired"));
}

TEST_F(Volumes, LabelsWithReversedAxes_ArePutInTheImagesOrder) {
  write_series("ct", 3);
  // In the labels' order: column 1, row 1 of the last slice is the picture's column 0, row 0.
  write_labels("labels.nii", kRas, std::string(11, '\0') + '\1');
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_THAT(read(dataset, 0).labels.labels, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(read(dataset, 2).labels.labels, ElementsAre(1, 0, 0, 0));
}

TEST_F(Volumes, LabelsWithExchangedAxes_ArePutInTheImagesOrder) {
  write_series("ct", 3);
  // Their i runs along the slices, their j along the picture's columns.
  const std::array<float, 12> exchanged = {0, -2, 0, 10, 0, 0, -2, 20, 3, 0, 0, 30};
  write_labels("labels.nii", exchanged, {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {3, 2, 2});
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_THAT(read(dataset, 2).labels.labels, ElementsAre(1, 0, 0, 0));
}

TEST_F(Volumes, FramesOfOneFile_AreSlicesByTheirPositions) {
  const auto place = [](const char* position) {
    return tests::dicom_sequence(0x20, 0x9113, {tests::dicom_element(0x20, 0x32, "DS", position)});
  };
  tests::write_dicom(
      folder_ / "ct.dcm",
      {.rows = 2,
       .columns = 2,
       .frames = "3",
       .spacing = "2\\2",
       .groups = tests::dicom_sequence(
           0x5200, 0x9230, {place("-10\\-20\\36"), place("-10\\-20\\30"), place("-10\\-20\\33")})},
      bytes_of_values<std::uint16_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  write_labels("labels.nii", kAsSeries, std::string(11, '\0') + '\1');
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_THAT(values_in(read(dataset, 0).image), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(values_in(read(dataset, 1).image), ElementsAre(9, 10, 11, 12));
  EXPECT_THAT(values_in(read(dataset, 2).image), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(read(dataset, 2).labels.labels, ElementsAre(0, 0, 0, 1));
}

TEST_F(Volumes, OtherAxes_CutThroughTheSeries) {
  write_series("ct", 3);
  write_labels("labels.nii", kAsSeries, std::string(11, '\0') + '\1');
  const Dataset along_j = scan(SliceAxis::j);
  ASSERT_EQ(along_j.samples.size(), 2U);
  EXPECT_EQ(along_j.samples[1].height, 3);
  EXPECT_THAT(values_in(read(along_j, 1).image), ElementsAre(-990, -989, -890, -889, -790, -789));
  EXPECT_THAT(read(along_j, 1).labels.labels, ElementsAre(0, 0, 0, 0, 0, 1));
  const Dataset along_i = scan(SliceAxis::i);
  EXPECT_THAT(values_in(read(along_i, 0).image), ElementsAre(-1000, -990, -900, -890, -800, -790));
}

TEST_F(Volumes, ShiftedLabels_AreRefusedWithBothGrids) {
  write_series("ct", 3);
  auto shifted = kRas;
  shifted[3] += 1;
  write_labels("labels.nii", shifted, std::string(11, '\0') + '\1');
  const auto error = tests::thrown_error([&] { static_cast<void>(scan()); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("labels.nii"), HasSubstr("first at (9, 18, 30)"),
                                   HasSubstr("first at (10, 20, 30)")));
}

TEST_F(Volumes, NamedPairOfNifti_IsComparedByItsGridsToo) {
  const std::string image = bytes_of_values<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8});
  const auto write_image = [&](const char* file) {
    tests::write_bytes(in_folder(folder_ / file),
                       tests::nifti_1({.sizes = {2, 2, 2}, .affine = kRas}, image));
  };
  write_image("images/a.nii");
  write_image("images/b.nii");
  write_labels("labels/a.nii", kAsSeries, {1, 0, 0, 0, 0, 0, 0, 0}, {2, 2, 2});
  auto shifted = kRas;
  shifted[11] += 3;
  write_labels("labels/b.nii", shifted, {1, 0, 0, 0, 0, 0, 0, 0}, {2, 2, 2});
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "images-masks");
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].id, "images/a.nii#1");
  EXPECT_THAT(read(dataset, 0).labels.labels, ElementsAre(0, 0, 0, 1));
  const auto* refused = find_code(dataset, "geometry-differs");
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->file, "labels/b.nii");
  EXPECT_THAT(refused->message, AllOf(HasSubstr("(8, 18, 33)"), HasSubstr("(8, 18, 30)")));
}

TEST_F(Volumes, FurtherDimension_IsTakenAsBands) {
  tests::write_bytes(in_folder(folder_ / "images/a.nii"),
                     tests::nifti_1({.sizes = {2, 1, 2, 2}},
                                    bytes_of_values<std::int16_t>({1, 2, 3, 4, 11, 12, 13, 14})));
  tests::write_bytes(
      in_folder(folder_ / "labels/a.nii"),
      tests::nifti_1({.sizes = {2, 1, 2}, .datatype = 2, .bits = 8}, std::string({0, 1, 1, 0})));
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.summary.channels, 2);
  EXPECT_THAT(values_in(read(dataset, 1).image), ElementsAre(3, 13, 4, 14));
}

TEST_F(Volumes, GzippedVolume_IsDecodedOnceForAllSlices) {
  write_series("ct", 3);
  const std::string bytes =
      tests::nifti_1({.sizes = {2, 2, 3}, .datatype = 2, .bits = 8, .affine = kAsSeries},
                     std::string(11, '\0') + '\1');
  const auto path = folder_ / "labels.nii.gz";
  const gzFile stream = gzopen(path.c_str(), "wb");
  gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(stream);
  const Dataset dataset = scan();
  std::filesystem::remove(path);
  EXPECT_THAT(read(dataset, 2).labels.labels, ElementsAre(0, 0, 0, 1));
  const VolumeReader bounded(folder_.path(), {dataset.volumes->pair(0)});
  EXPECT_TRUE(tests::thrown_error([&] { static_cast<void>(bounded.label_slice(0, 0)); }));
}

TEST_F(Volumes, BoundOfBytes_LetsTheOldestVolumeGo) {
  write_series("ct", 3);
  write_labels("labels.nii", kAsSeries, std::string(11, '\0') + '\1');
  VolumePair pair = scan().volumes->pair(0);
  pair.axis = SliceAxis::j;
  // Images of 24 bytes, labels of 12: two images do not fit.
  const VolumeReader reader(folder_.path(), {pair, pair}, 40);
  static_cast<void>(reader.image_slice(0, 0));
  static_cast<void>(reader.image_slice(1, 0));
  std::filesystem::remove_all(folder_ / "ct");
  EXPECT_NO_THROW(static_cast<void>(reader.image_slice(1, 1)));
  EXPECT_TRUE(tests::thrown_error([&] { static_cast<void>(reader.image_slice(0, 1)); }));
}

TEST_F(Volumes, MissingSlices_AreAnErrorThatNamesTheFiles) {
  for (const std::int64_t z : {0, 1, 2, 4}) write_slice("ct", z, z);
  write_labels("labels.nii", kAsSeries, std::string(16, '\1'), {2, 2, 4});
  const auto error = tests::thrown_error([&] { static_cast<void>(scan()); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("IM2"), HasSubstr("IM4"), HasSubstr("6 mm")));
}

TEST_F(Volumes, SeveralPatients_KeepTheirOwnLabelsOnEqualGrids) {
  for (const std::string patient : {"p1", "p2"}) {
    write_series(patient + "/ct", 3, "1.2." + patient.substr(1));
    write_labels(patient + "/seg.nii", kAsSeries,
                 std::string(11, '\0') + (patient == "p1" ? '\1' : '\2'));
  }
  write_series("p3/ct", 3, "1.2.33");
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 6U);
  EXPECT_EQ(dataset.samples[5].id, "p2/ct#3");
  EXPECT_THAT(read(dataset, 2).labels.labels, Contains(1));
  EXPECT_THAT(read(dataset, 5).labels.labels, Contains(2));
  EXPECT_THAT(dataset.unlabelled, ElementsAre("p3/ct"));
  EXPECT_THAT(codes_of(dataset), Contains("mask-missing"));
}

TEST_F(Volumes, RareClass_IsNoStray) {
  std::string values(12 * 1024, '\0');
  values[0] = 9;
  values[1] = 4;
  tests::write_bytes(in_folder(folder_ / "images/a.nii"),
                     tests::nifti_1({.sizes = {64, 64, 3}, .datatype = 2, .bits = 8}, values));
  tests::write_bytes(in_folder(folder_ / "labels/a.nii"),
                     tests::nifti_1({.sizes = {64, 64, 3}, .datatype = 2, .bits = 8}, values));
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.summary.classes.size(), 3U);
  EXPECT_THAT(codes_of(dataset), Not(Contains("stray-values")));
}

class Segmentations : public Volumes {
 protected:
  /// Two slices of 8 x 1 pixels of 1 mm, at z = 0 and z = 1.
  void write_images(const std::string& uid = "1.2.3") {
    for (const std::string z : {"0", "1"}) {
      tests::write_dicom(in_folder(folder_ / "ct" / z),
                         {.rows = 1,
                          .columns = 8,
                          .series = uid,
                          .instance = uid + "." + z,
                          .position = "0\\0\\" + z,
                          .spacing = "1\\1"},
                         bytes_of_values<std::uint16_t>({1, 2, 3, 4, 5, 6, 7, 8}));
    }
  }
};

TEST_F(Segmentations, Segments_BecomeClassesByTheirLabels) {
  write_images();
  // The second slice shows the liver alone; the frames are in no order.
  tests::write_segmentation(
      folder_ / "seg.dcm",
      {.labels = {"Liver", "Tumour"}, .frames = {{1, "0\\0\\1"}, {2, "0\\0\\0"}, {1, "0\\0\\0"}}},
      "\x81\x0c\x06");
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "Liver", "Tumour"));
  std::vector<std::int64_t> pixels;
  for (const auto& named : dataset.summary.classes) pixels.push_back(named.pixels);
  EXPECT_THAT(pixels, ElementsAre(11, 3, 2));
  EXPECT_THAT(read(dataset, 0).labels.labels, ElementsAre(0, 1, 2, 2, 0, 0, 0, 0));
  EXPECT_THAT(read(dataset, 1).labels.labels, ElementsAre(1, 0, 0, 0, 0, 0, 0, 1));
  const auto* overlap = find_code(dataset, "segments-overlap");
  ASSERT_NE(overlap, nullptr);
  EXPECT_THAT(overlap->message, HasSubstr("1 voxels"));
}

TEST_F(Segmentations, SliceWithoutFrame_IsBackground) {
  write_images();
  tests::write_segmentation(folder_ / "seg.dcm", {.frames = {{1, "0\\0\\1"}}}, "\xff");
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 8);
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, 8);
}

TEST_F(Segmentations, Fractions_CountFromHalfOn) {
  write_images();
  tests::write_segmentation(folder_ / "seg.dcm",
                            {.frames = {{1, "0\\0\\0"}}, .most_fractional = 200},
                            std::string("\x00\x01\x63\x64\x65\xc8\x00\x00", 8));
  const Dataset dataset = scan();
  const auto liver = std::ranges::find(dataset.summary.classes, "Liver", &base::ClassSummary::name);
  ASSERT_NE(liver, dataset.summary.classes.end());
  EXPECT_EQ(liver->pixels, 3) << "100, 101 and 200 of 200";
  EXPECT_THAT(codes_of(dataset), Contains("segments-fractional"));
}

TEST_F(Segmentations, FramesTurnedRoundAndSmaller_AreLaidIntoTheGrid) {
  write_images();
  // Columns run from x = 5 down to x = 2: bits 1000, then 1100.
  tests::write_segmentation(folder_ / "seg.dcm",
                            {.columns = 4,
                             .orientation = "-1\\0\\0\\0\\1\\0",
                             .frames = {{1, "5\\0\\0"}, {1, "5\\0\\1"}}},
                            "\x31");
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "Liver"));
  EXPECT_THAT(read(dataset, 0).labels.labels, ElementsAre(0, 0, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(read(dataset, 1).labels.labels, ElementsAre(0, 0, 0, 0, 1, 1, 0, 0));
}

TEST_F(Segmentations, SegmentationWithoutItsSeries_IsToldWithItsSegments) {
  tests::write_segmentation(
      folder_ / "seg.dcm",
      {.labels = {"Liver", "Tumour"}, .frames = {{1, "0\\0\\1"}}, .referenced_series = "1.2.77"},
      "\xff");
  const auto error = tests::thrown_error([&] { static_cast<void>(scan()); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(),
              AllOf(HasSubstr("seg.dcm"), HasSubstr("Liver, Tumour"), HasSubstr("1.2.77")));
}

TEST_F(Segmentations, NamedSeries_IsTakenOfTwoOnOneGrid) {
  write_images("1.2.3");
  for (const std::string z : {"0", "1"}) {
    tests::write_dicom(in_folder(folder_ / "aa" / z),
                       {.rows = 1,
                        .columns = 8,
                        .series = "1.2.4",
                        .instance = "1.2.4." + z,
                        .position = "0\\0\\" + z,
                        .spacing = "1\\1"},
                       std::string(16, '\0'));
  }
  tests::write_segmentation(folder_ / "seg.dcm",
                            {.frames = {{1, "0\\0\\1"}}, .referenced_series = "1.2.3"}, "\xff");
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].id, "ct#1");
  EXPECT_THAT(dataset.unlabelled, ElementsAre("aa"));
}

TEST(CtTotalseg, Folder_IsRecognisedByPathAlone) {
  const auto folder = tests::real_data("ct_totalseg");
  if (!folder) GTEST_SKIP() << "no ct_totalseg in $HEADROOM_TEST_DATA or shared/data";
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "volumes");
  EXPECT_EQ(dataset.samples.size(), 20U + 112U + 30U + 20U);
  EXPECT_EQ(dataset.summary.classes.size(), 74U);
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 5965877);
  EXPECT_EQ(dataset.summary.classes.at(5).pixels, 465514) << "the liver";
  EXPECT_EQ(dataset.summary.ignored_pixels, 0);
  EXPECT_EQ(dataset.summary.max_width, 512);
  EXPECT_EQ(dataset.summary.min_height, 91);
  EXPECT_NO_THROW(require_usable(dataset.summary));
  EXPECT_THAT(codes_of(dataset), Contains("other-labels"));
  const auto slice = std::ranges::find(dataset.samples, "example_ct_dicom#8", &data::Sample::id);
  ASSERT_NE(slice, dataset.samples.end());
  const auto decoded = make_sample_reader(dataset)->read(*slice);
  const auto values = values_in(decoded.image);
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.), -163641804);
  EXPECT_EQ(values[100 * 512 + 200], -997);
  EXPECT_EQ(std::ranges::count(decoded.labels.labels, 5), 18064);
}

TEST(CtTotalseg, CoronalSlices_HaveTheSameValues) {
  const auto folder = tests::real_data("ct_totalseg");
  if (!folder) GTEST_SKIP() << "no ct_totalseg in $HEADROOM_TEST_DATA or shared/data";
  const Dataset dataset = scan_dataset({.folder = *folder, .slice_axis = SliceAxis::j});
  EXPECT_EQ(dataset.samples.size(), 512U + 101U + 101U + 91U);
  const auto sum_of = [&](const std::string& id) {
    const auto sample = std::ranges::find(dataset.samples, id, &data::Sample::id);
    const auto values = values_in(make_sample_reader(dataset)->read(*sample).image);
    return std::accumulate(values.begin(), values.end(), 0.);
  };
  EXPECT_EQ(sum_of("example_ct_dicom#301"), -41440);
  EXPECT_EQ(sum_of("example_ct.nii.gz#51"), -908289);
}

TEST_F(Volumes, RealSegmentation_IsLaidOnASeriesOfItsGrid) {
  const auto sample = tests::real_data("label_formats/dicom_seg_rtstruct");
  if (!sample) GTEST_SKIP() << "no label_formats in $HEADROOM_TEST_DATA or shared/data";
  for (const std::string z : {"-128.69", "-127.69", "-126.69"}) {
    tests::write_dicom(in_folder(folder_ / "ct" / ("IM" + z)),
                       {.rows = 512,
                        .columns = 512,
                        .series = "1.2.392.200103.20080913.113635.1.2009.6.22.21.43.10.23430.1",
                        .instance = "1.2.3" + z.substr(1),
                        .position = "-235.2\\-226.8\\" + z,
                        .spacing = "0.810547\\0.810547"},
                       std::string(512 * 512 * 2, '\0'));
  }
  for (const char* const name : {"liver_1frame.dcm", "liver_expb_1frame.dcm"}) {
    const auto link = folder_ / "seg.dcm";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(std::filesystem::absolute(*sample / name), link);
    const Dataset dataset = scan();
    ASSERT_EQ(dataset.samples.size(), 3U) << name;
    const auto& classes = dataset.summary.classes;
    const auto liver = std::ranges::find(classes, "Liver", &base::ClassSummary::name);
    ASSERT_NE(liver, classes.end());
    EXPECT_EQ(liver->pixels, 36233) << name;
    EXPECT_EQ(liver->images, 1);
    EXPECT_THAT(codes_of(dataset), Contains("frames-missing"));
  }
}

TEST(LabelFormats, SegmentationsWithoutTheirSeries_AreToldByName) {
  const auto folder = tests::real_data("label_formats/dicom_seg_rtstruct");
  if (!folder) GTEST_SKIP() << "no label_formats in $HEADROOM_TEST_DATA or shared/data";
  const auto error =
      tests::thrown_error([&] { static_cast<void>(scan_dataset({.folder = *folder})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("liver_1frame.dcm"), HasSubstr("Liver"),
                                   HasSubstr("1.2.392.200103")));
}

}  // namespace
}  // namespace headroom::formats
