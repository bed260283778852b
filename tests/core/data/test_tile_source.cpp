#include "core/data/tile_source.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/data/counter_random.hpp"
#include "core/data/image_parts.hpp"
#include "core/data/tile_builder.hpp"
#include "tests/core/data/fake_reader.hpp"

namespace headroom::data {
namespace {

const Normalisation kAsStored{"none", {0, 0, 0}, {1, 1, 1}};

struct Tile {
  std::vector<float> pixels;
  std::vector<std::uint8_t> labels;
  friend bool operator==(const Tile&, const Tile&) = default;
};

Tile build(const DecodedSample& decoded, const TileRequest& request) {
  const auto pixels = static_cast<std::size_t>(request.window_height * request.window_width);
  Tile tile{std::vector<float>(3 * pixels), std::vector<std::uint8_t>(pixels)};
  build_tile(decoded, request, kAsStored, tile.pixels, tile.labels);
  return tile;
}

/// The tile built from nothing but its source.
Tile build_from_source(const DecodedSample& whole, const Sample& sample,
                       const TileRequest& request) {
  const base::PixelWindow source = source_window(request, sample);
  const DecodedSample part{crop(whole.image, source), crop(whole.labels, source)};
  return build(part, moved_to(request, source.top, source.left));
}

TEST(TileSource, TileInside_ReadsItsWindowOnly) {
  const Sample sample{.height = 100, .width = 200};
  EXPECT_EQ(source_window({.top = 7, .left = 9, .window_height = 20, .window_width = 30}, sample),
            (base::PixelWindow{.left = 9, .top = 7, .width = 30, .height = 20}));
}

TEST(TileSource, AnyTile_IsTheSameFromItsSourceAsFromTheWhole) {
  const std::int64_t height = 23, width = 31;
  const Sample sample{.height = height, .width = width};
  const DecodedSample whole = tests::patterned_sample(height, width, 1);
  for (std::int64_t k = 0; k < 2000; ++k) {
    CounterRandom random(5, 1, k);
    const TileRequest request{.top = random.below(80) - 40,
                              .left = random.below(100) - 50,
                              .window_height = 1 + random.below(60),
                              .window_width = 1 + random.below(60),
                              .mirrored = random.below(2) == 1,
                              .quarter_turns = random.below(4)};
    EXPECT_EQ(build_from_source(whole, sample, request), build(whole, request)) << k;
  }
}

}  // namespace
}  // namespace headroom::data
