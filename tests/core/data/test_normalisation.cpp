#include "core/data/normalisation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "core/base/error.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {
namespace {

/// Images that are handed in.
class GivenImages final : public SampleReader {
 public:
  explicit GivenImages(std::vector<base::Image> images) : images_(std::move(images)) {}

 private:
  [[nodiscard]] DecodedSample do_read(const Sample& sample) const override {
    const base::Image& image = images_[static_cast<std::size_t>(std::stoll(sample.id))];
    return {image, {image.height, image.width, {}}};
  }
  std::vector<base::Image> images_;
};

/// One float image with labels.
class OneImage final : public SampleReader {
 public:
  explicit OneImage(base::Image image) : image_(std::move(image)) {}

 private:
  [[nodiscard]] DecodedSample do_read(const Sample&) const override {
    base::LabelImage labels{.height = image_.height, .width = image_.width};
    labels.labels.resize(static_cast<std::size_t>(labels.height * labels.width));
    return {image_, labels};
  }
  base::Image image_;
};

template <typename T>
base::Image image_of(base::PixelType type, std::int64_t channels, const std::vector<T>& values) {
  base::Image image{.height = 1,
                    .width = static_cast<std::int64_t>(values.size()) / channels,
                    .channels = channels,
                    .type = type};
  image.pixels.resize(values.size() * sizeof(T));
  std::memcpy(image.pixels.data(), values.data(), image.pixels.size());
  return image;
}

NormalisationResult measure(const std::vector<base::Image>& images, base::Normalise mode,
                            std::int64_t threads = 2) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < images.size(); ++i) {
    samples.push_back({.id = std::to_string(i)});
    chosen.push_back(static_cast<std::int64_t>(i));
  }
  SampleCache cache(samples, std::make_shared<GivenImages>(images), 1 << 20);
  return measure_normalisation(
      cache, chosen, {.mode = mode, .channels = images.front().channels, .threads = threads}, {});
}

TEST(MeasureNormalisation, Zscore_IsMeanAndStandardDeviationPerBand) {
  // Band 1: 0 2 4 6, mean 3, variance 5. Band 2: 10 10 20 20, mean 15, variance 25.
  const auto images = std::vector{image_of<std::uint8_t>(base::PixelType::u8, 2, {0, 10, 2, 10}),
                                  image_of<std::uint8_t>(base::PixelType::u8, 2, {4, 20, 6, 20})};
  const Normalisation found = measure(images, base::Normalise::zscore).normalisation;
  EXPECT_EQ(found.mode, "zscore");
  EXPECT_DOUBLE_EQ(found.shift[0], 3);
  EXPECT_DOUBLE_EQ(found.scale[0], 1 / std::sqrt(5));
  EXPECT_DOUBLE_EQ(found.shift[1], 15);
  EXPECT_DOUBLE_EQ(found.scale[1], 0.2);
}

TEST(MeasureNormalisation, ImageReadByParts_GivesTheSame) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < 64 * 50; ++i)
    values.push_back(static_cast<float>(i * 7919 % 1009) / 16);
  base::Image image = image_of<float>(base::PixelType::f32, 1, values);
  image.height = 64;
  image.width = 50;
  const auto reader = std::make_shared<OneImage>(image);
  const Sample sample{.id = "0", .height = 64, .width = 50};
  Sample blocked = sample;
  blocked.pixel_bytes = 5;
  blocked.block = {16, 16};
  for (const auto mode : {base::Normalise::zscore, base::Normalise::minmax}) {
    SampleCache whole({sample}, reader, 1 << 20), parts({blocked}, reader, 8192);
    ASSERT_GT(parts.parts(0).size(), 4U);
    const NormalisationOptions options{.mode = mode, .channels = 1};
    const Normalisation expected = measure_normalisation(whole, {0}, options, {}).normalisation;
    const Normalisation found = measure_normalisation(parts, {0}, options, {}).normalisation;
    EXPECT_NEAR(found.shift[0], expected.shift[0], 1e-12);
    EXPECT_NEAR(found.scale[0], expected.scale[0], 1e-12);
  }
}

TEST(MeasureNormalisation, SignedAndFloatValues_GiveTheSameAsBytes) {
  for (const auto& image : {image_of<std::int16_t>(base::PixelType::i16, 1, {-3, -1, 1, 3}),
                            image_of<float>(base::PixelType::f32, 1, {-3, -1, 1, 3}),
                            image_of<double>(base::PixelType::f64, 1, {-3, -1, 1, 3}),
                            image_of<std::int32_t>(base::PixelType::i32, 1, {-3, -1, 1, 3})}) {
    const Normalisation found = measure({image}, base::Normalise::zscore).normalisation;
    EXPECT_NEAR(found.shift[0], 0, 1e-12);
    EXPECT_NEAR(found.scale[0], 1 / std::sqrt(5), 1e-12);
  }
}

TEST(MeasureNormalisation, LargeOffset_KeepsItsSpread) {
  const auto image =
      image_of<double>(base::PixelType::f64, 1, {1e9 - 3, 1e9 - 1, 1e9 + 1, 1e9 + 3});
  EXPECT_NEAR(measure({image}, base::Normalise::zscore).normalisation.scale[0], 1 / std::sqrt(5),
              1e-9);
}

TEST(MeasureNormalisation, NanInfinityAndNodata_DoNotCount) {
  auto image =
      image_of<float>(base::PixelType::f32, 1,
                      {0, 2, -9999, std::nanf(""), 4, std::numeric_limits<float>::infinity(), 6});
  image.nodata = -9999;
  const Normalisation found = measure({image}, base::Normalise::zscore).normalisation;
  EXPECT_DOUBLE_EQ(found.shift[0], 3);
  auto bytes = image_of<std::uint8_t>(base::PixelType::u8, 1, {0, 2, 255, 4, 6});
  bytes.nodata = 255;
  EXPECT_DOUBLE_EQ(measure({bytes}, base::Normalise::zscore).normalisation.shift[0], 3);
}

TEST(MeasureNormalisation, Minmax_MapsToZeroAndOne) {
  const auto image = image_of<std::uint16_t>(base::PixelType::u16, 1, {500, 1000, 2500});
  const Normalisation found = measure({image}, base::Normalise::minmax).normalisation;
  EXPECT_DOUBLE_EQ(found.shift[0], 500);
  EXPECT_DOUBLE_EQ(found.scale[0], 1.0 / 2000);
}

TEST(MeasureNormalisation, Percentile_LeavesOutTheTails) {
  // numpy.percentile(range(101), [1, 99]) is 1 and 99.
  std::vector<std::uint8_t> bytes(101);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  std::vector<float> reals(bytes.begin(), bytes.end());
  for (const auto& image :
       {image_of(base::PixelType::u8, 1, bytes), image_of(base::PixelType::f32, 1, reals)}) {
    const Normalisation found = measure({image}, base::Normalise::percentile).normalisation;
    EXPECT_DOUBLE_EQ(found.shift[0], 1);
    EXPECT_DOUBLE_EQ(found.scale[0], 1.0 / 98);
  }
}

NormalisationResult measure_in_window(const base::Image& image, const base::CtWindow& window) {
  SampleCache cache({{.id = "0"}}, std::make_shared<GivenImages>(std::vector{image}), 1 << 20);
  return measure_normalisation(
      cache, {0}, {.mode = base::Normalise::ct_window, .window = window, .channels = 1}, {});
}

TEST(MeasureNormalisation, CtWindow_MapsItsEndsToZeroAndOneAndClips) {
  const auto image = image_of<std::int16_t>(base::PixelType::i16, 1, {-1024, 0, 3000});
  const NormalisationResult result = measure_in_window(image, {40, 80});
  EXPECT_EQ(result.normalisation.mode, "ct-window");
  EXPECT_EQ(result.normalisation.shift, std::vector<double>{0});
  EXPECT_EQ(result.normalisation.scale, std::vector<double>{1.0 / 80});
  EXPECT_TRUE(result.normalisation.clipped);
  EXPECT_TRUE(result.findings.empty());
}

TEST(MeasureNormalisation, ValuesOutsideTheCtWindow_GiveAWarning) {
  const auto image = image_of<std::uint16_t>(base::PixelType::u16, 1, {1000, 2000, 4000});
  const NormalisationResult result = measure_in_window(image, {-600, 1500});
  EXPECT_EQ(result.normalisation.shift, std::vector<double>{-1350});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "outside-the-window");
}

TEST(MeasureNormalisation, OtherModes_DoNotClip) {
  const auto image = image_of<std::uint8_t>(base::PixelType::u8, 1, {1, 2, 3});
  for (const auto mode : {base::Normalise::zscore, base::Normalise::minmax,
                          base::Normalise::percentile, base::Normalise::none})
    EXPECT_FALSE(measure({image}, mode).normalisation.clipped);
}

TEST(MeasureNormalisation, None_LeavesValuesAsTheyAre) {
  const auto image = image_of<std::uint8_t>(base::PixelType::u8, 2, {5, 6});
  const Normalisation found = measure({image}, base::Normalise::none).normalisation;
  EXPECT_EQ(found.mode, "none");
  EXPECT_EQ(found.shift, (std::vector<double>{0, 0}));
  EXPECT_EQ(found.scale, (std::vector<double>{1, 1}));
}

TEST(MeasureNormalisation, ConstantBand_GetsScaleOneAndAWarning) {
  const auto image = image_of<std::uint8_t>(base::PixelType::u8, 1, {7, 7, 7});
  const NormalisationResult result = measure({image}, base::Normalise::zscore);
  EXPECT_DOUBLE_EQ(result.normalisation.scale[0], 1);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "band-without-spread");
}

TEST(MeasureNormalisation, AnyNumberOfThreads_GivesTheSameBits) {
  std::vector<base::Image> images;
  CounterRandom random(1, 2, 3);
  for (int i = 0; i < 20; ++i) {
    std::vector<float> values(500);
    for (float& value : values) value = static_cast<float>(random.between(-1000, 1000));
    images.push_back(image_of(base::PixelType::f32, 1, values));
  }
  for (const auto mode : {base::Normalise::zscore, base::Normalise::percentile}) {
    const Normalisation one = measure(images, mode, 1).normalisation;
    const Normalisation five = measure(images, mode, 5).normalisation;
    EXPECT_EQ(one.shift, five.shift);
    EXPECT_EQ(one.scale, five.scale);
  }
}

TEST(MeasureNormalisation, OtherNumberOfBands_NamesTheSample) {
  const auto images = std::vector{image_of<std::uint8_t>(base::PixelType::u8, 2, {1, 2}),
                                  image_of<std::uint8_t>(base::PixelType::u8, 3, {1, 2, 3})};
  EXPECT_THROW(static_cast<void>(measure(images, base::Normalise::zscore)), base::Error);
}

}  // namespace
}  // namespace headroom::data
