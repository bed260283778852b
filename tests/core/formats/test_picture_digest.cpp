#include "core/formats/picture_digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "core/formats/generate.hpp"
#include "tests/core/formats/picture_copies.hpp"

namespace headroom::formats {
namespace {

base::Image generated(std::int64_t index, SampleKind kind = SampleKind::aerial) {
  return generate_sample({.kind = kind, .size = 256}, index).image;
}

int differing_bits(const base::Image& a, const base::Image& b) {
  return std::popcount(digest_picture(a).look.value() ^ digest_picture(b).look.value());
}

base::Image window_of(const base::Image& image, const PixelWindow& window) {
  base::Image part = image;
  part.height = window.height;
  part.width = window.width;
  part.pixels.clear();
  for (std::int64_t y = window.top; y < window.top + window.height; ++y) {
    const auto row = image.pixels.begin() + (y * image.width + window.left) * image.channels;
    part.pixels.insert(part.pixels.end(), row, row + window.width * image.channels);
  }
  return part;
}

template <typename T>
base::Image image_of(std::int64_t height, std::int64_t width, base::PixelType type,
                     const std::vector<T>& values) {
  base::Image image{.height = height, .width = width, .channels = 1, .type = type};
  image.pixels.resize(values.size() * sizeof(T));
  std::memcpy(image.pixels.data(), values.data(), image.pixels.size());
  return image;
}

TEST(DigestPicture, OneChangedValue_ChangesThePixelsAndNotTheLook) {
  const base::Image image = generated(0);
  base::Image other = image;
  other.pixels[12345] ^= std::byte{1};
  EXPECT_EQ(digest_picture(image).pixels, digest_picture(image).pixels);
  EXPECT_EQ(digest_picture(image).pixels.size(), 32U);
  EXPECT_NE(digest_picture(image).pixels, digest_picture(other).pixels);
  EXPECT_EQ(digest_picture(image).look, digest_picture(other).look);
}

TEST(DigestPicture, EqualBytesOfOtherShape_AreOtherPixels) {
  std::vector<std::uint8_t> values(48);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * 5);
  const base::Image wide = image_of(4, 12, base::PixelType::u8, values);
  const base::Image high = image_of(12, 4, base::PixelType::u8, values);
  base::Image deep = image_of(4, 6, base::PixelType::u16, values);
  const std::set<std::string> hashes = {digest_picture(wide).pixels, digest_picture(high).pixels,
                                        digest_picture(deep).pixels};
  EXPECT_EQ(hashes.size(), 3U);
}

TEST(DigestPicture, PictureOfOneValue_HasNoDigest) {
  for (const std::uint8_t value : {0, 9, 255}) {
    const PictureDigest digest = digest_picture(
        image_of(64, 64, base::PixelType::u8, std::vector<std::uint8_t>(64 * 64, value)));
    EXPECT_TRUE(digest.pixels.empty());
    EXPECT_FALSE(digest.look);
  }
}

TEST(DigestPicture, SmallPicture_HasPixelsAndNoLook) {
  const base::Image small = window_of(generated(1), {.width = 200, .height = 31});
  EXPECT_FALSE(digest_picture(small).pixels.empty());
  EXPECT_FALSE(digest_picture(small).look);
}

TEST(DigestPicture, Look_IsTheCosineTransformAgainstItsMedian) {
  // Of a picture that is one basis function only its own coefficient is above all others.
  std::vector<float> values;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 96; ++x) {
      values.push_back(static_cast<float>(std::cos(std::numbers::pi * (2 * y + 1) * 3 / 128) *
                                          std::cos(std::numbers::pi * (2 * x + 1) * 5 / 192)));
    }
  }
  const auto look = digest_picture(image_of(64, 96, base::PixelType::f32, values)).look;
  ASSERT_TRUE(look);
  const int bit = 63 - ((3 - 1) * 8 + (5 - 1));
  EXPECT_NE(*look >> bit & 1U, 0U);
}

TEST(PictureDigester, Parts_GiveTheLookOfTheWhole) {
  const base::Image image = generated(2);
  PictureDigester strips(256, 256), tiles(256, 256);
  for (std::int64_t top = 0; top < 256; top += 100) {
    const PixelWindow window{
        .top = top, .width = 256, .height = std::min<std::int64_t>(100, 256 - top)};
    strips.add(window_of(image, window), window);
  }
  for (std::int64_t top = 0; top < 256; top += 128) {
    for (std::int64_t left = 0; left < 256; left += 200) {
      const PixelWindow window{.left = left,
                               .top = top,
                               .width = std::min<std::int64_t>(200, 256 - left),
                               .height = 128};
      tiles.add(window_of(image, window), window);
    }
  }
  const PictureDigest whole = digest_picture(image);
  EXPECT_EQ(strips.digest().pixels, whole.pixels);
  EXPECT_EQ(strips.digest().look, whole.look);
  EXPECT_EQ(tiles.digest().look, whole.look);
}

TEST(DigestPicture, MissingValues_DoNotCount) {
  const base::Image picture = generated(3);
  std::vector<float> values;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3)
    values.push_back(static_cast<float>(picture.pixels[i]));
  const auto look = digest_picture(image_of(256, 256, base::PixelType::f32, values)).look;
  for (std::size_t i = 0; i < values.size(); i += 7) values[i] = -9999;
  values[11] = std::numeric_limits<float>::quiet_NaN();
  base::Image image = image_of(256, 256, base::PixelType::f32, values);
  image.nodata = -9999;
  const auto with_gaps = digest_picture(image).look;
  ASSERT_TRUE(look && with_gaps);
  EXPECT_LE(std::popcount(*look ^ *with_gaps), kNearDuplicateBits);
}

class LookOf : public testing::TestWithParam<SampleKind> {};

TEST_P(LookOf, Copies_AreNearDuplicates) {
  for (std::int64_t index = 0; index < 6; ++index) {
    const base::Image image = generated(index, GetParam());
    EXPECT_LE(differing_bits(image, tests::recoded_as_jpeg(image, 50)), kNearDuplicateBits);
    EXPECT_LE(differing_bits(image, tests::brightened(image, 0.7)), kNearDuplicateBits);
    EXPECT_LE(differing_bits(image, tests::halved(image)), kNearDuplicateBits);
    EXPECT_LE(differing_bits(image, tests::cropped(image, 0.01)), kNearDuplicateBits);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LookOf,
                         testing::Values(SampleKind::aerial, SampleKind::retina,
                                         SampleKind::cells));

}  // namespace
}  // namespace headroom::formats
