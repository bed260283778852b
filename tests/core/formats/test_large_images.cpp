// Images that are read by parts, and those that cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "core/data/sample_cache.hpp"
#include "core/formats/mask_census.hpp"
#include "core/formats/raster_parts.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/large_scene.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Above the 64 MiB that are read in one go.
constexpr std::int64_t kSide = 5000, kSpacing = 1900;

class LargeImages : public testing::Test {
 protected:
  const tests::TemporaryFolder folder_;
};

TEST_F(LargeImages, Scene_IsScannedByParts) {
  tests::write_large_scene(folder_.path(), "a", kSide, kSpacing);
  std::vector<double> shares;
  const Dataset dataset =
      scan_dataset({.folder = folder_.path(), .threads = 1},
                   [&](const ScanProgress& progress) { shares.push_back(progress.share_of_next); });
  ASSERT_EQ(dataset.samples.size(), 1U);
  const data::Sample& sample = dataset.samples.front();
  EXPECT_EQ(sample.pixel_bytes, 4);
  EXPECT_EQ(sample.block, (base::BlockSize{512, 512}));
  EXPECT_EQ(dataset.summary.classes.at(1).pixels, tests::bright_pixels(kSide, kSpacing));
  EXPECT_EQ(dataset.summary.classes.at(0).pixels,
            kSide * kSide - tests::bright_pixels(kSide, kSpacing));
  EXPECT_GT(shares.size(), 3U);
  EXPECT_TRUE(
      data::SampleCache(dataset.samples, make_sample_reader(dataset), 1 << 26).is_read_by_parts(0));
}

TEST_F(LargeImages, StopAmongTheParts_Interrupts) {
  tests::write_large_scene(folder_.path(), "a", kSide, kSpacing);
  std::stop_source stop;
  std::int64_t calls = 0;
  const auto error = tests::thrown_error([&] {
    static_cast<void>(scan_dataset(
        {.folder = folder_.path(), .threads = 1},
        [&](const ScanProgress&) {
          ++calls;
          stop.request_stop();
        },
        stop.get_token()));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
  EXPECT_EQ(calls, 1);
}

/// Parts without colours before and behind the one that has them.
TEST_F(LargeImages, MaskOfColours_CountsGreysOfAllPartsAsColours) {
  const auto file = tests::write_large_colours(folder_ / "mask.tif", kSide);
  const MaskCensus census = take_census(file);
  EXPECT_EQ(census.coding, MaskCoding::colour);
  EXPECT_THAT(census.pixels_of,
              testing::ElementsAre(testing::Pair(0x000000, kSide * kSide - 300),
                                   testing::Pair(0x0A0B0C, 100), testing::Pair(0xC8C8C8, 200)));
}

/// PNG specification, 11.2.2 and 11.2.4: IHDR, and an IDAT without any pixels.
std::string png_header(std::uint32_t side) {
  std::string chunk("IHDR\0\0\0\0\0\0\0\0\x08\0\0\0\0", 17);
  for (int i = 0; i < 4; ++i)
    chunk[static_cast<std::size_t>(4 + i)] = chunk[static_cast<std::size_t>(8 + i)] =
        static_cast<char>(side >> (24 - 8 * i));
  const auto crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
  std::string bytes = std::string("\x89PNG\r\n\x1a\n\0\0\0\x0d", 12) + chunk;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(crc >> (24 - 8 * i));
  return bytes + std::string("\0\0\0\x08IDAT\0\0\0\0\0\0\0\0", 16);
}

/// TIFF 6.0, section 2: one deflated strip of 33000 x 33000 bytes, whose data is not there.
std::string one_strip_tiff() {
  struct Entry {
    std::uint16_t tag, type;
    std::uint32_t count, value;
  };
  constexpr std::uint16_t kShort = 3, kLong = 4;
  constexpr std::uint32_t kSidePixels = 33000, kAdobeDeflate = 8;
  const std::vector<Entry> entries = {{256, kLong, 1, kSidePixels}, {257, kLong, 1, kSidePixels},
                                      {258, kShort, 1, 8},          {259, kShort, 1, kAdobeDeflate},
                                      {262, kShort, 1, 1},          {273, kLong, 1, 8},
                                      {277, kShort, 1, 1},          {278, kLong, 1, kSidePixels},
                                      {279, kLong, 1, 1000}};
  std::string bytes("II*\0", 4);
  bytes += tests::bytes_of_values<std::uint32_t>({1008});
  bytes.resize(1008);
  bytes += tests::bytes_of_values<std::uint16_t>({static_cast<std::uint16_t>(entries.size())});
  for (const Entry& entry : entries) {
    bytes += tests::bytes_of_values<std::uint16_t>({entry.tag, entry.type});
    bytes += tests::bytes_of_values<std::uint32_t>({entry.count, entry.value});
  }
  return bytes + std::string(4, '\0');
}

TEST_F(LargeImages, GigapixelPng_IsRefusedWithTheRemedy) {
  tests::write_bytes(folder_ / "large.png", png_header(33000));
  EXPECT_EQ(read_raster_info(folder_ / "large.png").height, 33000);
  const auto error =
      tests::thrown_error([&] { static_cast<void>(read_raster(folder_ / "large.png")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::unusable_data);
  EXPECT_THAT(error->parts().subject,
              AllOf(HasSubstr("large.png"), HasSubstr("33000x33000"), HasSubstr("1.01 GiB")));
  EXPECT_THAT(error->parts().remedy, HasSubstr("gdal_translate -co TILED=YES"));
}

TEST_F(LargeImages, StripOfAGigabyte_IsReadByRowsUntilItsDataEnds) {
  tests::write_bytes(folder_ / "strip.tif", one_strip_tiff());
  PageReader reader(folder_ / "strip.tif", 0);
  const auto parts = parts_of(reader.info());
  EXPECT_GT(parts.size(), 30U);
  const auto error = tests::thrown_error([&] { static_cast<void>(reader.read(parts.front())); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("strip.tif"), HasSubstr("truncated or damaged")));
}

TEST_F(LargeImages, PartsOfOtherFormats_AreThoseOfTheirBlocks) {
  RasterInfo info{.height = 40000, .width = 40000, .channels = 3, .block = {1, 40000}};
  EXPECT_EQ(reading_block(info), (base::BlockSize{128, 40000}));
  EXPECT_EQ(parts_of(info).front().width, 40000);
  info.block = {1024, 1024};
  EXPECT_EQ(reading_block(info), (base::BlockSize{1024, 1024}));
  info.block = {40000, 40000};
  EXPECT_EQ(reading_block(info), base::BlockSize{});
  EXPECT_EQ(parts_of(info).size(), 1U);
  EXPECT_EQ(common_block({128, 40000}, {512, 512}), (base::BlockSize{512, 40000}));
  EXPECT_EQ(common_block({128, 40000}, {}), base::BlockSize{});
}

}  // namespace
}  // namespace headroom::formats
