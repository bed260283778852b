#include "core/formats/blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/data/split.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::HasSubstr;

/// A scene whose value tells row and column: 16-bit, value = 100 * row + column.
class Blocks : public testing::Test {
 protected:
  void write_scene(const std::string& name, std::int64_t height, std::int64_t width) const {
    tests::RasterSpec image{.height = height, .width = width, .type = "UInt16", .driver = "GTiff"};
    tests::RasterSpec mask{.height = height, .width = width};
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        image.values.push_back(static_cast<double>(100 * y + x));
        // Ignored on the left quarter, class 1 below row 10, class 0 above.
        mask.values.push_back(x < width / 4 ? 255 : y < 10 ? 0 : 1);
      }
    }
    tests::write_raster(tests::in_folder(folder_ / "images" / (name + ".tif")), image);
    tests::write_raster(tests::in_folder(folder_ / "masks" / (name + ".png")), mask);
  }
  [[nodiscard]] Dataset scan() const { return scan_dataset({.folder = folder_.path()}); }
  static void cut(Dataset& dataset, std::int64_t tile, std::int64_t wanted) {
    cut_into_blocks(
        dataset, {.tile_height = tile, .tile_width = tile, .wanted = wanted, .threads = 2}, {}, {});
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(Blocks, Grid_CoversTheImageOnce) {
  write_scene("scene", 40, 66);
  Dataset dataset = scan();
  cut(dataset, 8, 5);
  std::vector<int> seen(40 * 66);
  for (const data::Sample& block : dataset.samples) {
    ASSERT_TRUE(block.part);
    for (std::int64_t y = 0; y < block.height; ++y)
      for (std::int64_t x = 0; x < block.width; ++x)
        ++seen.at(static_cast<std::size_t>((block.part->top + y) * 66 + block.part->left + x));
  }
  // 4 tiles give 2 blocks, 2 tiles 3 x 4; the left column of them is ignored and left out.
  EXPECT_EQ(dataset.samples.size(), 9U);
  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], i % 66 < 16 ? 0 : 1) << i;
  EXPECT_EQ(dataset.samples.front().id, "images/scene.tif@r0c1");
  EXPECT_EQ(dataset.summary.findings.back().code, "blocks");
  EXPECT_THAT(
      dataset.summary.findings.back().message,
      HasSubstr("1 images are cut into 9 blocks, such as 'images/scene.tif@r0c1' of 17x13"));
  EXPECT_THAT(dataset.summary.findings.back().message, HasSubstr("3 blocks without"));
}

TEST_F(Blocks, Reader_GivesThePixelsOfTheBlock) {
  write_scene("scene", 40, 66);
  Dataset dataset = scan();
  cut(dataset, 8, 5);
  const data::Sample& block = dataset.samples.back();
  const data::DecodedSample decoded = make_sample_reader(dataset)->read(block);
  ASSERT_EQ(decoded.image.height, block.height);
  ASSERT_EQ(decoded.image.width, block.width);
  const auto* value = reinterpret_cast<const std::uint16_t*>(decoded.image.pixels.data());
  for (std::int64_t y = 0; y < block.height; ++y) {
    for (std::int64_t x = 0; x < block.width; ++x, ++value)
      ASSERT_EQ(*value, 100 * (block.part->top + y) + block.part->left + x);
  }
  EXPECT_EQ(decoded.labels.labels.size(), static_cast<std::size_t>(block.height * block.width));
  EXPECT_EQ(decoded.labels.labels.front(), 1);
}

TEST_F(Blocks, ClassPixels_AreThoseOfEachBlock) {
  write_scene("scene", 40, 66);
  Dataset dataset = scan();
  const std::vector<std::int64_t> whole = dataset.class_pixels.at(0);
  cut(dataset, 8, 5);
  ASSERT_EQ(dataset.class_pixels.size(), dataset.samples.size());
  std::vector<std::int64_t> sum(whole.size());
  for (const auto& pixels : dataset.class_pixels)
    std::transform(sum.begin(), sum.end(), pixels.begin(), sum.begin(), std::plus<>());
  EXPECT_EQ(sum, whole);
  // Rows 0 to 12 of 17 columns: 10 rows of class 0.
  EXPECT_EQ(dataset.class_pixels.front(), (std::vector<std::int64_t>{170, 51}));
}

TEST_F(Blocks, SmallImages_StayWholeBesideLargeOnes) {
  write_scene("large", 64, 64);
  write_scene("small", 8, 8);
  Dataset dataset = scan();
  cut(dataset, 8, 2);
  EXPECT_EQ(dataset.samples.back().id, "images/small.tif");
  EXPECT_FALSE(dataset.samples.back().part);
  EXPECT_EQ(dataset.samples.size(), 5U);
}

TEST_F(Blocks, SidesOfASplit_HaveNoPixelInCommon) {
  write_scene("scene", 64, 64);
  Dataset dataset = scan();
  cut(dataset, 8, 5);
  const data::Split split =
      data::make_split(dataset.samples, {.from = "0.3", .by = "blocks"}).split;
  EXPECT_FALSE(split.train.empty());
  EXPECT_FALSE(split.validation.empty());
  std::vector<int> seen(64 * 64);
  for (const auto* side : {&split.train, &split.validation}) {
    for (const std::int64_t index : *side) {
      const data::Sample& block = dataset.samples.at(static_cast<std::size_t>(index));
      for (std::int64_t y = 0; y < block.height; ++y)
        for (std::int64_t x = 0; x < block.width; ++x)
          ASSERT_EQ(++seen.at(static_cast<std::size_t>((block.part->top + y) * 64 +
                                                       block.part->left + x)),
                    1);
    }
  }
}

TEST_F(Blocks, Stopped_LeavesTheDataSetAsItWas) {
  write_scene("scene", 64, 64);
  Dataset dataset = scan();
  std::stop_source stop;
  stop.request_stop();
  const auto error = tests::thrown_error(
      [&] { cut_into_blocks(dataset, {.tile_height = 8, .tile_width = 8}, {}, stop.get_token()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
  EXPECT_EQ(dataset.samples.size(), 1U);
  EXPECT_FALSE(dataset.samples.front().part);
}

}  // namespace
}  // namespace headroom::formats
