#include "core/formats/nifti_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/nifti_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::nifti_1;
using tests::values_in;

class NiftiFile : public testing::Test {
 protected:
  std::unique_ptr<RasterFile> open(const std::string& bytes, SliceAxis axis = SliceAxis::k) {
    tests::write_bytes(folder_ / "a.nii", bytes);
    return open_raster_file(folder_ / "a.nii", axis);
  }

  /// 2 x 3 x 2 voxels; the value at i, j, k is 1 + i + 2 j + 6 k.
  static std::string volume(float slope = 0, float intercept = 0) {
    return nifti_1({.sizes = {2, 3, 2}, .slope = slope, .intercept = intercept},
                   tests::bytes_of_values<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(NiftiFile, SlicesAlongK_HaveColumnsIAndRowsJ) {
  const auto file = open(volume());
  EXPECT_EQ(file->info().pages, 2);
  EXPECT_EQ(file->info().width, 2);
  EXPECT_EQ(file->info().height, 3);
  EXPECT_EQ(file->info().type, base::PixelType::i16);
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(7, 8, 9, 10, 11, 12));
}

TEST_F(NiftiFile, SlicesAlongJ_HaveColumnsIAndRowsK) {
  const auto file = open(volume(), SliceAxis::j);
  EXPECT_EQ(file->info().pages, 3);
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(3, 4, 9, 10));
}

TEST_F(NiftiFile, SlicesAlongI_HaveColumnsJAndRowsK) {
  const auto file = open(volume(), SliceAxis::i);
  EXPECT_EQ(file->info().pages, 2);
  EXPECT_EQ(file->info().width, 3);
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST_F(NiftiFile, Window_IsRead) {
  const auto file = open(volume());
  EXPECT_THAT(values_in(file->read(1, {.left = 1, .top = 1, .width = 1, .height = 2})),
              ElementsAre(10, 12));
}

TEST_F(NiftiFile, WholeScale_KeepsIntegers) {
  const auto file = open(volume(1, -1024));
  EXPECT_EQ(file->info().type, base::PixelType::i32);
  EXPECT_THAT(values_in(file->read()), ElementsAre(-1023, -1022, -1021, -1020, -1019, -1018));
}

TEST_F(NiftiFile, FractionalScale_GivesRealNumbers) {
  const auto file = open(volume(0.25F, 0.5F));
  EXPECT_EQ(file->info().type, base::PixelType::f32);
  EXPECT_THAT(values_in(file->read()), ElementsAre(0.75, 1, 1.25, 1.5, 1.75, 2));
}

TEST_F(NiftiFile, ValuesThatAreNoNumbers_StayWhatTheyAre) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto file =
      open(nifti_1({.sizes = {2, 2, 1}, .datatype = 16, .bits = 32},
                   tests::bytes_of_values<float>({0.5F, std::nanf(""), kInfinity, -kInfinity})));
  EXPECT_EQ(file->info().type, base::PixelType::f32);
  EXPECT_THAT(values_in(file->read()), ElementsAre(0.5, testing::IsNan(), kInfinity, -kInfinity));
}

TEST_F(NiftiFile, Affine_IsTheSformsRows) {
  const auto affine = open(volume())->info().affine;
  ASSERT_TRUE(affine);
  EXPECT_THAT(*affine, ElementsAre(ElementsAre(2, 0, 0, -90), ElementsAre(0, 3, 0, -126),
                                   ElementsAre(0, 0, 4, -72)));
}

TEST_F(NiftiFile, FurtherDimensions_AreMorePages) {
  const auto file = open(nifti_1({.sizes = {1, 2, 2, 2}},
                                 tests::bytes_of_values<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8})));
  EXPECT_EQ(file->info().pages, 4);
  EXPECT_THAT(values_in(file->read(3)), ElementsAre(7, 8));
}

TEST_F(NiftiFile, Colours_AreThreeBands) {
  const auto file =
      open(nifti_1({.sizes = {2, 1, 1}, .datatype = 128, .bits = 24}, "\1\2\3\4\5\6"));
  EXPECT_EQ(file->info().channels, 3);
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(NiftiFile, GzippedFile_IsRead) {
  const std::string bytes = volume();
  const auto path = folder_ / "a.nii.gz";
  const gzFile stream = gzopen(path.c_str(), "wb");
  gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(stream);
  const auto file = open_raster_file(path, SliceAxis::i);
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 3, 5, 7, 9, 11));
}

TEST_F(NiftiFile, ShortFile_IsRefused) {
  const std::string bytes = volume();
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(open(bytes.substr(0, bytes.size() - 3))->read(1)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), HasSubstr("a.nii"));
}

TEST_F(NiftiFile, GzippedFileTooSmallForItsSizes_IsRefusedByItsHeader) {
  const std::string bytes = nifti_1({.sizes = {1000, 1000, 1000}}, "");
  const auto path = folder_ / "a.nii.gz";
  const gzFile stream = gzopen(path.c_str(), "wb");
  gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(stream);
  const auto error = tests::thrown_error([&] { static_cast<void>(open_raster_file(path)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
}

TEST_F(NiftiFile, WholeVolume_HasFurtherDimensionsAsBands) {
  tests::write_bytes(folder_ / "a.nii",
                     nifti_1({.sizes = {2, 1, 2, 2}, .slope = 1, .intercept = 1},
                             tests::bytes_of_values<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8})));
  EXPECT_EQ(read_nifti_shape(folder_ / "a.nii").further, 2);
  const VoxelVolume volume = read_nifti_volume(folder_ / "a.nii");
  EXPECT_THAT(volume.sizes, ElementsAre(2, 1, 2));
  EXPECT_EQ(volume.channels, 2);
  EXPECT_THAT(values_in(slice_of(volume, SliceAxis::k, 1)), ElementsAre(4, 8, 5, 9));
}

TEST_F(NiftiFile, ComplexValues_AreRefused) {
  const auto error = tests::thrown_error([&] {
    static_cast<void>(
        open(nifti_1({.sizes = {2, 1, 1}, .datatype = 32, .bits = 64}, std::string(16, '\0'))));
  });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("COMPLEX64"));
}

}  // namespace
}  // namespace headroom::formats
