#include "core/formats/raster_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/data/image_parts.hpp"
#include "core/formats/label_geotiff.hpp"
#include "core/formats/mask_reader.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;

const base::LabelImage kLabels{2, 3, {0, 1, 2, 255, 1, 0}};

class RasterWriter : public testing::Test {
 protected:
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  const tests::TemporaryFolder folder_;
};

TEST_F(RasterWriter, LabelPng_HoldsTheIds) {
  write_label_png(folder_ / "a.png", kLabels);
  const RasterPixels raster = read_raster(folder_ / "a.png");
  EXPECT_EQ(raster.info.kind, RasterKind::bands);
  EXPECT_THAT(raster.image.pixels, ElementsAre(std::byte{0}, std::byte{1}, std::byte{2},
                                               std::byte{255}, std::byte{1}, std::byte{0}));
  EXPECT_EQ(files(), 1U);
}

TEST_F(RasterWriter, LabelPngWithColours_IsAPaletteOfThem) {
  write_label_png(folder_ / "a.png", kLabels,
                  std::vector<std::uint32_t>{0x000000, 0x123456, 0xFF0000});
  const RasterPixels raster = read_raster(folder_ / "a.png");
  ASSERT_EQ(raster.info.kind, RasterKind::palette);
  EXPECT_EQ(raster.info.palette.at(1), 0x123456U);
  EXPECT_EQ(raster.image.pixels.at(2), std::byte{2});
}

TEST_F(RasterWriter, LabelGeoTiff_KeepsCrsPlaceAndIds) {
  const std::vector<double> place = {500000.5, 0.3, 0, 4649776.25, 0, -0.3};
  tests::write_raster(folder_ / "source.tif", {.width = 2,
                                               .values = {1, 2},
                                               .driver = "GTiff",
                                               .crs = "EPSG:32633",
                                               .geotransform = place});
  const auto source = read_raster_info(folder_ / "source.tif");
  const tests::CommaLocale commas;
  LabelGeotiff file(folder_ / "out.tif",
                    {.height = 2, .width = 3, .geo = source.geo, .colours = {1, 2, 3}});
  file.put({.width = 3, .height = 2}, kLabels);
  file.commit();
  const RasterPixels written = read_raster(folder_ / "out.tif");
  EXPECT_EQ(written.info.geo, source.geo);
  EXPECT_EQ(written.info.nodata, 255);
  EXPECT_EQ(written.info.palette.at(2), 3U);
  EXPECT_EQ(written.image.pixels.at(1), std::byte{1});
}

TEST_F(RasterWriter, LabelGeoTiff_TakesWindowsOfAnySize) {
  const std::int64_t height = 700, width = 530;
  base::LabelImage labels{.height = height, .width = width};
  for (std::int64_t i = 0; i < height * width; ++i)
    labels.labels.push_back(static_cast<std::uint8_t>(i * 31 % 251));
  LabelGeotiff file(folder_ / "out.tif", {.height = height, .width = width});
  const data::BlockedImage cut{
      .height = height, .width = width, .pixel_bytes = 1, .block = {190, 170}};
  for (const base::PixelWindow& window : data::cut_into_parts(cut, 1))
    file.put(window, data::crop(labels, window));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.tif"));
  file.commit();
  const RasterPixels written = read_raster(folder_ / "out.tif");
  EXPECT_FALSE(written.info.geo);
  EXPECT_EQ(written.info.kind, RasterKind::bands);
  EXPECT_TRUE(std::ranges::equal(written.image.pixels, labels.labels, {},
                                 [](std::byte b) { return std::to_integer<std::uint8_t>(b); }));
}

TEST_F(RasterWriter, LabelGeoTiffWithoutCommit_LeavesNothing) {
  {
    LabelGeotiff file(folder_ / "out.tif", {.height = 300, .width = 3});
    file.put({.width = 3, .height = 300}, {300, 3, std::vector<std::uint8_t>(900)});
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(RasterWriter, Png_ReadsBackAsItWas) {
  const base::Image image{.height = 1,
                          .width = 2,
                          .channels = 3,
                          .pixels = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                     std::byte{5}, std::byte{6}}};
  write_png(folder_ / "größe.png", image);
  EXPECT_EQ(read_image(folder_ / "größe.png").pixels, image.pixels);
}

TEST_F(RasterWriter, NoSuchFolder_IsAnIoErrorAndLeavesNothing) {
  const auto error =
      tests::thrown_error([&] { write_label_png(folder_ / "none" / "a.png", kLabels); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 5);
  EXPECT_EQ(files(), 0U);
}

TEST(ClassColours, MappingsOwnColours_WinOverTheList) {
  const base::ClassMapping mapping{.ids = {{{true, 0x3C1098}, 1}, {{true, 0}, base::kIgnoreLabel}},
                                   .class_names = {"a", "b"}};
  EXPECT_EQ(class_colours(mapping).at(1), 0x3C1098U);
}

TEST(ClassColours, ManyClasses_AreAllDifferent) {
  base::ClassMapping mapping;
  mapping.class_names.resize(60);
  std::vector<std::uint32_t> colours = class_colours(mapping);
  std::ranges::sort(colours);
  EXPECT_EQ(std::ranges::adjacent_find(colours), colours.end());
}

}  // namespace
}  // namespace headroom::formats
