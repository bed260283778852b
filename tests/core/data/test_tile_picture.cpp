#include "core/data/tile_picture.hpp"

#include <gtest/gtest.h>

#include "tests/core/data/fake_reader.hpp"

namespace headroom::data {
namespace {

std::vector<int> bytes_of(const base::Image& image) {
  std::vector<int> bytes;
  for (const std::byte value : image.pixels) bytes.push_back(std::to_integer<int>(value));
  return bytes;
}

Normalisation of_mode(const char* mode, std::size_t bands) {
  return {mode, std::vector<double>(bands, 0), std::vector<double>(bands, 1)};
}

TEST(RgbOfTile, Zscore_ShowsTwoAndAHalfSpreads) {
  const std::vector<float> pixels = {-9, -2.5F, 0, 2.5F};
  EXPECT_EQ(bytes_of(rgb_of_tile(pixels, 1, 4, of_mode("zscore", 1))),
            (std::vector{0, 0, 0, 0, 0, 0, 128, 128, 128, 255, 255, 255}));
}

TEST(RgbOfTile, ManyBands_ShowTheFirstThree) {
  const std::vector<float> pixels = {0, 1, 0.2F, 5, 5};
  EXPECT_EQ(bytes_of(rgb_of_tile(pixels, 1, 1, of_mode("minmax", 5))), (std::vector{0, 255, 51}));
}

TEST(RgbOfTile, None_ShowsBytesAsTheyAreAndStretchesTheRest) {
  EXPECT_EQ(bytes_of(rgb_of_tile(std::vector<float>{7, 200, 30}, 1, 1, of_mode("none", 3))),
            (std::vector{7, 200, 30}));
  EXPECT_EQ(bytes_of(rgb_of_tile(std::vector<float>{-1000, 1000, 0}, 1, 1, of_mode("none", 3))),
            (std::vector{0, 255, 128}));
}

TEST(PictureOfTile, Tile_IsTheOneThatTrainingGets) {
  const auto samples = tests::patterned_samples(2, 40, 30);
  const TrainingTiles tiles(
      {.samples = std::make_shared<SampleCache>(samples, std::make_shared<tests::FakeReader>(), 0),
       .chosen = {0, 1},
       .normalisation = of_mode("none", 3)},
      {.tile_height = 16, .tile_width = 24});
  std::vector<float> pixels(16 * 24 * 3);
  std::vector<std::uint8_t> labels(16 * 24);
  tiles.build(5, pixels, labels);
  const TilePicture picture = picture_of_tile(tiles, 5);
  EXPECT_EQ(picture.labels.labels, labels);
  EXPECT_EQ(bytes_of(picture.image), std::vector<int>(pixels.begin(), pixels.end()));
}

TEST(TrainingTiles, WithoutAugmenter_OnlyFlipsCanBeMade) {
  const auto cache = std::make_shared<SampleCache>(tests::patterned_samples(1, 40, 30),
                                                   std::make_shared<tests::FakeReader>(), 0);
  const TileInputs source{.samples = cache, .chosen = {0}, .normalisation = of_mode("none", 3)};
  EXPECT_NO_THROW(TrainingTiles(source, {.augment = base::Augment::none}));
  EXPECT_THROW(TrainingTiles(source, {.augment = base::Augment::light}), base::Error);
}

}  // namespace
}  // namespace headroom::data
