// Windows of samples: whatever the formats of image and mask, a window is the crop of the whole.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "core/data/counter_random.hpp"
#include "core/data/image_parts.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::formats {
namespace {

constexpr std::int64_t kHeight = 90, kWidth = 70;

struct Files {
  std::string name{};
  tests::RasterSpec image{}, mask{};
  std::string image_file = "image.tif", mask_file = "mask.png";
  base::ClassMapping mapping{};
  bool has_valid_area = false;
};

void PrintTo(const Files& files, std::ostream* out) { *out << files.name; }

base::ClassMapping ids_of(std::int64_t classes) {
  base::ClassMapping mapping;
  for (std::int64_t id = 0; id < classes; ++id) {
    mapping.ids[{false, id}] = static_cast<std::uint8_t>(id);
    mapping.class_names.push_back(std::to_string(id));
  }
  return mapping;
}

std::vector<double> pattern(std::int64_t channels, std::int64_t different, double offset = 0) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < kHeight * kWidth * channels; ++i)
    values.push_back(offset + static_cast<double>(i * 7919 % different));
  return values;
}

/// Holes of `missing` in all bands, the size of some tiles and pixels.
std::vector<double> with_holes(std::vector<double> values, std::int64_t channels, double missing) {
  for (std::int64_t pixel = 0; pixel < kHeight * kWidth; ++pixel) {
    if (pixel % kWidth > 20 && pixel % 11 > 2) continue;
    for (std::int64_t channel = 0; channel < channels; ++channel)
      values[static_cast<std::size_t>(pixel * channels + channel)] = missing;
  }
  return values;
}

/// Colours in the lower half only: windows of the upper one are grey.
std::vector<double> colours_below_greys() {
  std::vector<double> values;
  for (std::int64_t pixel = 0; pixel < kHeight * kWidth; ++pixel) {
    const double grey = pixel % 3 == 0 ? 255 : 0;
    const bool is_red = pixel >= kHeight * kWidth / 2 && pixel % 5 == 0;
    values.insert(values.end(), {is_red ? 200 : grey, is_red ? 16 : grey, grey});
  }
  return values;
}

tests::RasterSpec tiff(std::int64_t channels, const std::string& type, std::vector<double> values,
                       std::vector<std::string> options = {"TILED=YES", "BLOCKXSIZE=16",
                                                           "BLOCKYSIZE=32"}) {
  return {.height = kHeight,
          .width = kWidth,
          .channels = channels,
          .values = std::move(values),
          .type = type,
          .driver = "GTiff",
          .options = std::move(options)};
}

tests::RasterSpec png(std::int64_t channels, std::vector<double> values) {
  return {.height = kHeight, .width = kWidth, .channels = channels, .values = std::move(values)};
}

Files tiled_sixteen_bits() {
  Files files{.name = "TiledSixteenBits", .mapping = ids_of(5), .has_valid_area = true};
  files.image = tiff(8, "UInt16", with_holes(pattern(8, 60000), 8, 7));
  files.image.nodata = 7;
  files.mask = tiff(1, "Byte", pattern(1, 5));
  files.mask_file = "mask.tif";
  return files;
}

Files rows_of_floats() {
  Files files{.name = "RowsOfFloats", .mapping = ids_of(5)};
  files.image = tiff(2, "Float32",
                     with_holes(pattern(2, 999, -300), 2, std::numeric_limits<double>::quiet_NaN()),
                     {"COMPRESS=LZW", "INTERLEAVE=BAND", "BLOCKYSIZE=4"});
  files.mask = tiff(1, "UInt32", pattern(1, 5), {"COMPRESS=DEFLATE", "BLOCKYSIZE=7"});
  files.mask_file = "mask.tif";
  return files;
}

Files png_and_palette() {
  Files files{.name = "PngAndPalette", .image_file = "image.png"};
  files.image = png(3, pattern(3, 251));
  files.mask = png(1, pattern(1, 3));
  files.mask.palette = {0x000000, 0xFF0000, 0x00FF00};
  files.mapping = {.ids = {{{true, 0}, 0}, {{true, 0xFF0000}, 1}, {{true, 0x00FF00}, 255}},
                   .class_names = {"a", "b"}};
  return files;
}

Files bmp_and_colours() {
  Files files{.name = "BmpAndColours", .image_file = "image.bmp"};
  files.image = png(3, pattern(3, 253));
  files.image.driver = "BMP";
  files.mask = tiff(3, "Byte", colours_below_greys());
  files.mask_file = "mask.tif";
  files.mapping = {
      .ids = {{{false, 0}, 0}, {{true, 0xFFFFFF}, 1}, {{true, 0xC81000}, 2}, {{true, 0xC810FF}, 2}},
      .class_names = {"a", "b", "c"}};
  return files;
}

Files alpha_and_jpeg_2000() {
  Files files{.name = "AlphaAndJpeg2000", .mapping = ids_of(4), .has_valid_area = true};
  files.image = tiff(4, "Byte", pattern(4, 250));
  files.image.last_is_alpha = true;
  files.mask = png(1, pattern(1, 4));
  files.mask.driver = "JP2OpenJPEG";
  files.mask.options = {"QUALITY=100", "REVERSIBLE=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32"};
  files.mask_file = "mask.jp2";
  return files;
}

class SampleWindows : public testing::TestWithParam<Files> {
 protected:
  SampleWindows() {
    const Files& files = GetParam();
    tests::write_raster(folder_ / files.image_file, files.image);
    tests::write_raster(folder_ / files.mask_file, files.mask);
    dataset_.mapping = files.mapping;
    sample_ = {.id = "a",
               .image = folder_ / files.image_file,
               .mask = folder_ / files.mask_file,
               .height = kHeight,
               .width = kWidth};
    if (!files.has_valid_area) return;
    sample_.valid_area = folder_ / "area.png";
    std::vector<double> area = pattern(1, 6);
    tests::write_raster(*sample_.valid_area, png(1, area));
  }

  const tests::TemporaryFolder folder_;
  Dataset dataset_{};
  data::Sample sample_{};
};

INSTANTIATE_TEST_SUITE_P(Formats, SampleWindows,
                         testing::Values(tiled_sixteen_bits(), rows_of_floats(), png_and_palette(),
                                         bmp_and_colours(), alpha_and_jpeg_2000()),
                         [](const auto& test) { return test.param.name; });

TEST_P(SampleWindows, AreTheCropOfTheWhole) {
  for (const AlphaBand alpha : {AlphaBand::keep, AlphaBand::drop}) {
    dataset_.alpha = alpha;
    const auto reader = make_sample_reader(dataset_);
    const data::DecodedSample whole = reader->read(sample_);
    for (std::int64_t k = 0; k < 40; ++k) {
      data::CounterRandom random(1, 1, k);
      base::PixelWindow window{.left = random.below(kWidth), .top = random.below(kHeight)};
      window.width = 1 + random.below(kWidth - window.left);
      window.height = 1 + random.below(kHeight - window.top);
      const data::DecodedSample part = reader->read(sample_, window);
      const base::Image expected = data::crop(whole.image, window);
      EXPECT_EQ(part.image.type, expected.type);
      EXPECT_EQ(part.image.channels, expected.channels);
      EXPECT_EQ(part.image.nodata, expected.nodata);
      EXPECT_EQ(part.image.pixels, expected.pixels);
      EXPECT_EQ(part.labels.labels, data::crop(whole.labels, window).labels);
    }
  }
}

TEST(NpySample, WindowsInRowAndColumnOrder_AreTheCropOfTheWhole) {
  const tests::TemporaryFolder folder;
  tests::write_raster(folder / "mask.png", png(1, pattern(1, 2)));
  for (const bool is_fortran : {false, true}) {
    std::string header =
        "{'descr': '<u2', 'fortran_order': " + std::string(is_fortran ? "True" : "False") +
        ", 'shape': (90, 70), }";
    header.resize(117, ' ');
    header += '\n';
    std::vector<std::uint16_t> values;
    for (std::int64_t i = 0; i < kHeight * kWidth; ++i)
      values.push_back(static_cast<std::uint16_t>(i * 7919));
    tests::write_bytes(folder / "image.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                                                 tests::bytes_of_values(values));
    Dataset dataset;
    dataset.mapping = ids_of(2);
    const auto reader = make_sample_reader(dataset);
    const data::Sample sample{.image = folder / "image.npy",
                              .mask = folder / "mask.png",
                              .height = kHeight,
                              .width = kWidth};
    const base::PixelWindow window{.left = 13, .top = 40, .width = 30, .height = 50};
    EXPECT_EQ(reader->read(sample, window).image.pixels,
              data::crop(reader->read(sample).image, window).pixels);
  }
}

}  // namespace
}  // namespace headroom::formats
