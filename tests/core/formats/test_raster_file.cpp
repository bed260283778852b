#include "core/formats/raster_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::values_in;

class RasterFileTest : public testing::Test {
 protected:
  /// Pages of 1 x 2 and 2 x 1 pixels and of other types.
  void write_two_pages() {
    tests::write_raster(folder_ / "a.tif", {.width = 2, .values = {1, 2}, .driver = "GTiff"});
    tests::write_raster(folder_ / "a.tif", {.height = 2,
                                            .values = {300, 400},
                                            .type = "UInt16",
                                            .driver = "GTiff",
                                            .options = {"APPEND_SUBDATASET=YES"}});
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(RasterFileTest, Window_HoldsExactlyItsPixels) {
  std::vector<double> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  tests::write_raster(
      folder_ / "a.tif",
      {.height = 4, .width = 5, .channels = 3, .values = values, .driver = "GTiff"});
  const base::Image image =
      open_raster_file(folder_ / "a.tif")->read(0, {.left = 3, .top = 1, .width = 2, .height = 2});
  EXPECT_EQ(image.width, 2);
  EXPECT_EQ(image.height, 2);
  EXPECT_THAT(values_in(image), ElementsAre(24, 25, 26, 27, 28, 29, 39, 40, 41, 42, 43, 44));
}

TEST_F(RasterFileTest, WindowOutsideTheImage_IsRefused) {
  tests::write_grey(folder_ / "a.png", 4, 5, 0);
  const auto file = open_raster_file(folder_ / "a.png");
  for (const PixelWindow window : {PixelWindow{4, 0, 2, 1}, PixelWindow{0, -1, 1, 1},
                                   PixelWindow{0, 0, 0, 1}, PixelWindow{0, 3, 1, 2}}) {
    const auto error = tests::thrown_error([&] { static_cast<void>(file->read(0, window)); });
    ASSERT_TRUE(error);
    EXPECT_THAT(error->what(), testing::AllOf(HasSubstr("a.png"), HasSubstr("5x4")));
  }
}

TEST_F(RasterFileTest, PagesOfATiff_MayDiffer) {
  write_two_pages();
  const auto file = open_raster_file(folder_ / "a.tif");
  EXPECT_EQ(file->info(1).pages, 2);
  EXPECT_EQ(file->info(1).height, 2);
  EXPECT_EQ(file->info(1).type, base::PixelType::u16);
  EXPECT_THAT(values_in(file->read(1)), ElementsAre(300, 400));
  EXPECT_THAT(values_in(file->read(0)), ElementsAre(1, 2));
}

TEST_F(RasterFileTest, PageThatIsNotThere_IsRefused) {
  write_two_pages();
  const auto file = open_raster_file(folder_ / "a.tif");
  const auto error = tests::thrown_error([&] { static_cast<void>(file->read(2)); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("page 2 of 2"));
}

TEST_F(RasterFileTest, GzippedFileThatIsNoVolume_SaysSo) {
  // gzip's header (RFC 1952) and an empty stored block (RFC 1951).
  tests::write_bytes(
      folder_ / "a.tif.gz",
      std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\0\0\xff\xff\0\0\0\0\0\0\0\0", 23));
  const auto error =
      tests::thrown_error([&] { static_cast<void>(open_raster_file(folder_ / "a.tif.gz")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->parts().remedy, "unpack it with gunzip");
}

TEST(MicroscopyVolume, PagesOfTheTiff_AreAllRead) {
  const auto folder = tests::real_data("microscopy_16bit");
  if (!folder) GTEST_SKIP() << "no microscopy_16bit in $HEADROOM_TEST_DATA or shared/data";
  const auto file = open_raster_file(*folder / "img3d.tif");
  EXPECT_EQ(file->info().pages, 31);
  double sum = 0;
  for (std::int64_t page = 0; page < 31; ++page) {
    for (const double value : values_in(file->read(page))) sum += value;
  }
  EXPECT_EQ(sum, 21342435);  // as tifffile reads it
}

}  // namespace
}  // namespace headroom::formats
