#include "core/formats/raster_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "core/base/io_error.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using tests::values_in;

class RasterReader : public testing::Test {
 protected:
  const tests::TemporaryFolder folder_;
};

struct Depth {
  const char* gdal_name;
  base::PixelType type;
  double low, high;
};

class RasterDepth : public testing::TestWithParam<Depth> {
 protected:
  const tests::TemporaryFolder folder_;
};

TEST_P(RasterDepth, TiffOfFiveBands_KeepsEveryValue) {
  const auto [name, type, low, high] = GetParam();
  std::vector<double> values(static_cast<std::size_t>(2 * 3 * 5));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  values.front() = low;
  values.back() = high;
  tests::write_raster(
      folder_ / "a.tif",
      {.height = 2, .width = 3, .channels = 5, .values = values, .type = name, .driver = "GTiff"});
  const base::Image image = read_image(folder_ / "a.tif");
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.width, 3);
  EXPECT_EQ(image.channels, 5);
  EXPECT_EQ(image.type, type);
  EXPECT_THAT(values_in(image), ElementsAreArray(values));
}

INSTANTIATE_TEST_SUITE_P(Depths, RasterDepth,
                         testing::Values(Depth{"Byte", base::PixelType::u8, 0, 255},
                                         Depth{"UInt16", base::PixelType::u16, 0, 65535},
                                         Depth{"Int16", base::PixelType::i16, -32768, 32767},
                                         Depth{"UInt32", base::PixelType::u32, 0, 4294967295.0},
                                         Depth{"Int32", base::PixelType::i32, -2147483648.0,
                                               2147483647.0},
                                         Depth{"Float32", base::PixelType::f32, -0.5, 16777216},
                                         Depth{"Float64", base::PixelType::f64, -1e-300, 1e300}),
                         [](const auto& test) { return test.param.gdal_name; });

TEST_F(RasterReader, SixteenBitRgbPng_KeepsItsDepth) {
  tests::write_raster(folder_ / "a.png",
                      {.channels = 3, .values = {1, 256, 65535}, .type = "UInt16"});
  const base::Image image = read_image(folder_ / "a.png");
  EXPECT_EQ(image.type, base::PixelType::u16);
  EXPECT_THAT(values_in(image), ElementsAre(1, 256, 65535));
}

TEST_F(RasterReader, SignedBytes_BecomeSixteenBit) {
  tests::write_raster(folder_ / "a.tif", {.width = 3,
                                          .values = {0, 127, 200},
                                          .driver = "GTiff",
                                          .options = {"PIXELTYPE=SIGNEDBYTE"}});
  const base::Image image = read_image(folder_ / "a.tif");
  EXPECT_EQ(image.type, base::PixelType::i16);
  EXPECT_THAT(values_in(image), ElementsAre(0, 127, -56));
}

TEST_F(RasterReader, PalettePng_BecomesRgb) {
  tests::write_raster(folder_ / "a.png",
                      {.width = 3, .values = {2, 0, 1}, .palette = {0x010203, 0xFF0000, 0x00FF7F}});
  EXPECT_EQ(read_raster_info(folder_ / "a.png").kind, RasterKind::palette);
  const base::Image image = read_image(folder_ / "a.png");
  EXPECT_EQ(image.channels, 3);
  EXPECT_THAT(values_in(image), ElementsAre(0, 255, 127, 1, 2, 3, 255, 0, 0));
}

TEST_F(RasterReader, ConstantAlpha_IsDroppedUnlessKept) {
  tests::write_raster(
      folder_ / "a.png",
      {.width = 2, .channels = 4, .values = {1, 2, 3, 255, 4, 5, 6, 255}, .last_is_alpha = true});
  EXPECT_TRUE(read_raster_info(folder_ / "a.png").has_alpha);
  EXPECT_THAT(values_in(read_image(folder_ / "a.png")), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(read_image(folder_ / "a.png", {.alpha = AlphaBand::keep}).channels, 4);
}

TEST_F(RasterReader, VaryingAlpha_IsKeptUnlessDropped) {
  tests::write_raster(folder_ / "a.png",
                      {.width = 2, .channels = 2, .values = {1, 255, 4, 0}, .last_is_alpha = true});
  EXPECT_THAT(values_in(read_image(folder_ / "a.png")), ElementsAre(1, 255, 4, 0));
  EXPECT_THAT(values_in(read_image(folder_ / "a.png", {.alpha = AlphaBand::drop})),
              ElementsAre(1, 4));
}

TEST_F(RasterReader, FourBandsWithoutAlpha_AreAllKept) {
  tests::write_raster(folder_ / "a.tif", {.channels = 4,
                                          .values = {1, 2, 3, 4},
                                          .type = "UInt16",
                                          .driver = "GTiff",
                                          .options = {"ALPHA=NO"}});
  EXPECT_THAT(values_in(read_image(folder_ / "a.tif")), ElementsAre(1, 2, 3, 4));
}

TEST_F(RasterReader, GeoTiff_GivesNodataAndPlace) {
  const std::vector<double> place = {500000.5, 0.3, 0, 4649776.25, 0, -0.3};
  tests::write_raster(folder_ / "a.tif", {.width = 2,
                                          .values = {-9999, 1.5},
                                          .type = "Float32",
                                          .driver = "GTiff",
                                          .nodata = -9999,
                                          .crs = "EPSG:32633",
                                          .geotransform = place});
  const tests::CommaLocale commas;
  const RasterInfo info = read_raster_info(folder_ / "a.tif");
  EXPECT_EQ(info.nodata, -9999);
  ASSERT_TRUE(info.geo);
  EXPECT_THAT(info.geo->geotransform, ElementsAreArray(place));
  EXPECT_THAT(info.geo->crs_wkt, HasSubstr("32633"));
  EXPECT_EQ(read_image(folder_ / "a.tif").nodata, -9999);
}

TEST_F(RasterReader, PlainPng_HasNoPlace) {
  tests::write_grey(folder_ / "a.png", 2, 2, 1);
  EXPECT_FALSE(read_raster_info(folder_ / "a.png").geo);
  EXPECT_FALSE(read_raster_info(folder_ / "a.png").nodata);
}

TEST_F(RasterReader, ExifOrientation_IsReportedAndNotApplied) {
  tests::write_raster(folder_ / "a.jpg", {.height = 8,
                                          .width = 16,
                                          .values = std::vector<double>(128, 7),
                                          .driver = "JPEG",
                                          .metadata_name = "EXIF_Orientation",
                                          .metadata_value = "6"});
  EXPECT_EQ(read_raster_info(folder_ / "a.jpg").orientation, 6);
  EXPECT_EQ(read_image(folder_ / "a.jpg").width, 16);
}

TEST_F(RasterReader, TiffOfTwoPages_SaysSoAndReadsTheFirst) {
  tests::write_raster(folder_ / "a.tif", {.values = {1}, .driver = "GTiff"});
  tests::write_raster(folder_ / "a.tif",
                      {.values = {2}, .driver = "GTiff", .options = {"APPEND_SUBDATASET=YES"}});
  EXPECT_EQ(read_raster_info(folder_ / "a.tif").pages, 2);
  EXPECT_THAT(values_in(read_image(folder_ / "a.tif")), ElementsAre(1));
}

class TruncatedFile : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  const tests::TemporaryFolder folder_;
};

TEST_P(TruncatedFile, Reading_IsRefusedNamingTheFileAndSilently) {
  const std::string driver = GetParam().first, name = GetParam().second;
  std::vector<double> noise(static_cast<std::size_t>(200 * 200 * 3));
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<double>(i * i * 7919 % 256);
  tests::write_raster(
      folder_ / name,
      {.height = 200, .width = 200, .channels = 3, .values = noise, .driver = driver});
  tests::truncate_file(folder_ / name,
                       static_cast<std::int64_t>(std::filesystem::file_size(folder_ / name) / 2));
  testing::internal::CaptureStderr();
  const auto error = tests::thrown_error([&] { static_cast<void>(read_image(folder_ / name)); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->parts().subject, HasSubstr(name));
  EXPECT_THAT(error->parts().detail, testing::Not(testing::IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Formats, TruncatedFile,
                         testing::Values(std::pair("PNG", "a.png"), std::pair("JPEG", "a.jpg"),
                                         std::pair("GTiff", "a.tif"), std::pair("BMP", "a.bmp"),
                                         std::pair("WEBP", "a.webp"),
                                         std::pair("JP2OpenJPEG", "a.jp2")),
                         [](const auto& test) { return test.param.first; });

TEST_F(RasterReader, NoImage_IsUnusableData) {
  tests::write_text(folder_ / "empty.png", "");
  tests::write_text(folder_ / "text.tif", "this is no image");
  std::filesystem::create_directory(folder_ / "folder.png");
  for (const char* name : {"empty.png", "text.tif", "folder.png"}) {
    const auto error = tests::thrown_error([&] { static_cast<void>(read_image(folder_ / name)); });
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->exit_code(), 3) << name;
    EXPECT_THAT(error->what(), HasSubstr(name));
  }
}

TEST_F(RasterReader, MissingFile_IsAnIoError) {
  const auto error =
      tests::thrown_error([&] { static_cast<void>(read_raster_info(folder_ / "none.png")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 5);
}

TEST_F(RasterReader, LongIntegers_AreReadWhereTheyFitIn32Bits) {
  tests::write_raster(folder_ / "a.tif",
                      {.width = 2, .values = {-7, 2147483647}, .type = "Int64", .driver = "GTiff"});
  const base::Image image = read_image(folder_ / "a.tif");
  EXPECT_EQ(image.type, base::PixelType::i32);
  EXPECT_THAT(values_in(image), ElementsAre(-7, 2147483647));
  tests::write_raster(folder_ / "b.tif",
                      {.values = {4294967296}, .type = "UInt64", .driver = "GTiff"});
  const auto error = tests::thrown_error([&] { static_cast<void>(read_image(folder_ / "b.tif")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("32 bits"));
}

TEST_F(RasterReader, ComplexPixels_AreRefused) {
  tests::write_raster(folder_ / "a.tif", {.values = {1}, .type = "CFloat32", .driver = "GTiff"});
  const auto error = tests::thrown_error([&] { static_cast<void>(read_image(folder_ / "a.tif")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("CFloat32"));
}

TEST_F(RasterReader, InterlacedPngOf16Bits_IsRefused) {
  // 1x1 grey, value 1, as pypng writes it; GDAL 3.6 gives 256.
  constexpr std::array<unsigned char, 68> kPng = {
      0x89, 0x50, 0x4e, 0x47, 0xd,  0xa,  0x1a, 0xa,  0x0,  0x0,  0x0,  0xd,  0x49, 0x48,
      0x44, 0x52, 0x0,  0x0,  0x0,  0x1,  0x0,  0x0,  0x0,  0x1,  0x10, 0x0,  0x0,  0x0,
      0x1,  0x1d, 0xe9, 0x77, 0x80, 0x0,  0x0,  0x0,  0xb,  0x49, 0x44, 0x41, 0x54, 0x78,
      0x9c, 0x63, 0x60, 0x60, 0x4,  0x0,  0x0,  0x4,  0x0,  0x2,  0xbf, 0x7a, 0x3f, 0x4a,
      0x0,  0x0,  0x0,  0x0,  0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  tests::write_text(folder_ / "a.png", std::string(kPng.begin(), kPng.end()));
  const auto error = tests::thrown_error([&] { static_cast<void>(read_image(folder_ / "a.png")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->parts().subject, HasSubstr("interlaced PNG of 16 bits"));
  EXPECT_EQ(error->parts().remedy, "save it without interlacing");
}

TEST_F(RasterReader, CmykAndCielabTiffs_KeepTheirBands) {
  for (const auto& [photometric, bands] :
       {std::pair("PHOTOMETRIC=CMYK", 4), std::pair("PHOTOMETRIC=CIELAB", 3)}) {
    std::vector<double> values(static_cast<std::size_t>(2 * bands));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(20 * i + 3);
    tests::write_raster(folder_ / "a.tif", {.height = 1,
                                            .width = 2,
                                            .channels = bands,
                                            .values = values,
                                            .driver = "GTiff",
                                            .options = {photometric}});
    EXPECT_THAT(values_in(read_image(folder_ / "a.tif")), ElementsAreArray(values)) << photometric;
  }
}

TEST_F(RasterReader, OtherFormatsThatNameFiles_AreNotFollowed) {
  tests::write_grey(folder_ / "a.png", 1, 1, 1);
  tests::write_text(
      folder_ / "b.tif",
      "<VRTDataset rasterXSize=\"1\" rasterYSize=\"1\"><VRTRasterBand dataType=\"Byte\" band=\"1\">"
      "<SimpleSource><SourceFilename "
      "relativeToVRT=\"1\">a.png</SourceFilename><SourceBand>1</SourceBand>"
      "</SimpleSource></VRTRasterBand></VRTDataset>");
  EXPECT_THROW(static_cast<void>(read_image(folder_ / "b.tif")), base::Error);
}

TEST_F(RasterReader, StrangeNames_AreRead) {
  for (const char* name :
       {"with space.png", "größe_日本.png", "not\xff\xfeutf8.png", "a.b.c.png"}) {
    tests::write_grey(folder_ / name, 1, 1, 5);
    EXPECT_THAT(values_in(read_image(folder_ / name)), ElementsAre(5)) << name;
  }
}

TEST_F(RasterReader, SideFiles_AreNeitherReadNorWritten) {
  tests::write_grey(folder_ / "a.png", 1, 1, 5);
  tests::write_text(folder_ / "a.png.aux.xml",
                    "<PAMDataset><PAMRasterBand "
                    "band=\"1\"><NoDataValue>5</NoDataValue></PAMRasterBand></PAMDataset>");
  EXPECT_FALSE(read_raster_info(folder_ / "a.png").nodata);
  tests::write_grey(folder_ / "b.png", 1, 1, 5);
  static_cast<void>(read_image(folder_ / "b.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.png.aux.xml"));
}

TEST(HasRasterExtension, Case_DoesNotMatter) {
  EXPECT_TRUE(has_raster_extension("a.JPG"));
  EXPECT_TRUE(has_raster_extension("dir.x/a.Tiff"));
  EXPECT_FALSE(has_raster_extension("a.txt"));
  EXPECT_FALSE(has_raster_extension("png"));
}

}  // namespace
}  // namespace headroom::formats
