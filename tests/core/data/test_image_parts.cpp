#include "core/data/image_parts.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/core/data/fake_reader.hpp"

namespace headroom::data {
namespace {

struct Cut {
  BlockedImage image;
  std::int64_t most_bytes;
};
class Parts : public testing::TestWithParam<Cut> {};
INSTANTIATE_TEST_SUITE_P(
    Cuts, Parts,
    testing::Values(Cut{{100, 70, 3, {16, 16}}, 1 << 20}, Cut{{100, 70, 3, {16, 16}}, 7000},
                    Cut{{100, 70, 3, {16, 16}}, 2000}, Cut{{100, 70, 3, {16, 16}}, 1},
                    Cut{{99, 70, 1, {1, 70}}, 700}, Cut{{5, 5, 8, {512, 512}}, 64}));

TEST_P(Parts, CoverEveryPixelOnceInWholeBlocks) {
  const auto& [image, most_bytes] = GetParam();
  std::vector<int> covered(static_cast<std::size_t>(image.height * image.width));
  for (const base::PixelWindow& part : cut_into_parts(image, most_bytes)) {
    EXPECT_EQ(part.top % image.block.height, 0);
    EXPECT_EQ(part.left % image.block.width, 0);
    const bool is_one_block = part.height <= image.block.height && part.width <= image.block.width;
    EXPECT_TRUE(is_one_block || part.height * part.width * image.pixel_bytes <= most_bytes);
    for (std::int64_t y = part.top; y < part.bottom(); ++y) {
      for (std::int64_t x = part.left; x < part.right(); ++x)
        ++covered.at(static_cast<std::size_t>(y * image.width + x));
    }
  }
  EXPECT_EQ(covered, std::vector<int>(covered.size(), 1));
}

TEST(Crop, HoldsExactlyTheWindow) {
  const DecodedSample sample = tests::patterned_sample(6, 7, 2);
  const base::PixelWindow window{.left = 3, .top = 1, .width = 4, .height = 2};
  const base::Image image = crop(sample.image, window);
  const base::LabelImage labels = crop(sample.labels, window);
  for (std::int64_t y = 0; y < 2; ++y) {
    for (std::int64_t x = 0; x < 4; ++x) {
      const auto from = static_cast<std::size_t>((y + 1) * 7 + x + 3);
      const auto to = static_cast<std::size_t>(y * 4 + x);
      EXPECT_EQ(labels.labels[to], sample.labels.labels[from]);
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(image.pixels[3 * to + c], sample.image.pixels[3 * from + c]);
    }
  }
}

TEST(CopyOverlap, WindowsWithoutACommonPixel_ChangeNothing) {
  const base::LabelImage from{2, 2, {1, 2, 3, 4}};
  base::LabelImage to{2, 2, {9, 9, 9, 9}};
  copy_overlap(from, {.left = 0, .top = 0, .width = 2, .height = 2}, to,
               {.left = 2, .top = 0, .width = 2, .height = 2});
  EXPECT_EQ(to.labels, (std::vector<std::uint8_t>{9, 9, 9, 9}));
}

}  // namespace
}  // namespace headroom::data
