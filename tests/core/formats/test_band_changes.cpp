#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/formats/tile_augmenter.hpp"
#include "tests/core/formats/augmented_tile.hpp"

namespace headroom::formats {
namespace {

using data::Augmentation;
using tests::OwnedTile;

/// Always, and of this strength.
data::RandomChange always(double strength) { return {1, strength, strength}; }

OwnedTile changed(OwnedTile tile, const Augmentation& augmentation, std::int64_t item = 0) {
  make_tile_augmenter()->change_values(tile.span(), augmentation, {1, 2, item});
  return tile;
}

double mean_of(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double spread_of(const std::vector<float>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const float value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// 0 1 2 … in 64x64.
OwnedTile ramp() {
  OwnedTile tile(64, 64, 1);
  std::iota(tile.pixels.begin(), tile.pixels.end(), 0.0F);
  return tile;
}

TEST(ChangeValues, Nothing_KeepsEveryBit) {
  EXPECT_EQ(changed(ramp(), {}).pixels, ramp().pixels);
  EXPECT_EQ(changed(ramp(), {.noise = {0, 1, 1}}).pixels, ramp().pixels);
}

TEST(ChangeValues, Brightness_AddsSpreads) {
  // Spread of 0 … n - 1: sqrt((n * n - 1) / 12).
  const double spread = std::sqrt((4096.0 * 4096 - 1) / 12);
  const OwnedTile tile = changed(ramp(), {.brightness = always(0.25)});
  for (std::size_t i = 0; i < tile.pixels.size(); ++i)
    EXPECT_NEAR(tile.pixels[i], static_cast<double>(i) + 0.25 * spread, 0.01);
}

TEST(ChangeValues, Contrast_IsAFactorAboutTheMean) {
  const OwnedTile tile = changed(ramp(), {.contrast = always(0.5)});
  for (std::size_t i = 0; i < tile.pixels.size(); ++i)
    EXPECT_NEAR(tile.pixels[i], 2047.5 + 0.5 * (static_cast<double>(i) - 2047.5), 0.01);
}

TEST(ChangeValues, Gamma_IsAPowerOnTheRange) {
  OwnedTile tile(1, 3, 1);
  tile.pixels = {-2, 0, 2};
  const OwnedTile squared = changed(tile, {.gamma = always(2)});
  EXPECT_NEAR(squared.pixels[0], -2, 1e-6);
  EXPECT_NEAR(squared.pixels[1], -1, 1e-6);
  EXPECT_NEAR(squared.pixels[2], 2, 1e-6);
  OwnedTile flat(1, 3, 1);
  flat.pixels = {5, 5, 5};
  EXPECT_EQ(changed(flat, {.gamma = always(2)}).pixels, flat.pixels);
}

TEST(ChangeValues, Blur_SpreadsAPointAsAGaussian) {
  OwnedTile tile(31, 31, 1);
  tile.at(15, 15) = 1;
  OwnedTile blurred = changed(tile, {.blur = always(1.5)});
  const double sigma = 1.5, peak = 1 / (2 * std::acos(-1.0) * sigma * sigma);
  EXPECT_NEAR(blurred.at(15, 15), peak, 0.02 * peak);
  EXPECT_NEAR(blurred.at(15, 17), peak * std::exp(-4 / (2 * sigma * sigma)), 0.02 * peak);
  EXPECT_NEAR(mean_of(blurred.pixels), mean_of(tile.pixels), 1e-6);
}

TEST(ChangeValues, Noise_HasTheSpreadAskedForAndNoMean) {
  const OwnedTile before = ramp();
  const OwnedTile after = changed(ramp(), {.noise = always(0.1)});
  std::vector<float> noise;
  for (std::size_t i = 0; i < before.pixels.size(); ++i)
    noise.push_back(after.pixels[i] - before.pixels[i]);
  const double expected = 0.1 * spread_of(before.pixels);
  // Standard errors of mean and spread of 4096 draws.
  EXPECT_NEAR(mean_of(noise), 0, 5 * expected / 64);
  EXPECT_NEAR(spread_of(noise), expected, 5 * expected / 90);
  EXPECT_NE(changed(ramp(), {.noise = always(0.1)}, 1).pixels, after.pixels);
}

TEST(ChangeValues, Bands_HaveDrawsOfTheirOwn) {
  OwnedTile tile(8, 8, 6);
  tile.fill([](auto y, auto x, auto) { return y + x; });
  OwnedTile after = changed(tile, {.brightness = {1, -1, 1}});
  for (std::int64_t band = 1; band < 6; ++band)
    EXPECT_NE(after.at(0, 0, band), after.at(0, 0, 0)) << band;
}

TEST(ChangeValues, SameDraws_GiveTheSameBits) {
  const Augmentation all = data::augmentation_of(base::Augment::microscopy);
  for (std::int64_t item = 0; item < 20; ++item)
    EXPECT_EQ(changed(ramp(), all, item).pixels, changed(ramp(), all, item).pixels);
}

}  // namespace
}  // namespace headroom::formats
