#include "core/data/tile_picture.hpp"

#include <algorithm>
#include <vector>

namespace headroom::data {
namespace {

constexpr std::size_t kRgb = 3;
constexpr float kMostByte = 255;

/// What is black and what is white.
struct ShownRange {
  float low = 0;
  float high = 1;
};

ShownRange shown_range(std::span<const float> pixels, const Normalisation& normalisation) {
  constexpr float kSpreads = 2.5F;
  if (normalisation.mode == "zscore") return {-kSpreads, kSpreads};
  if (normalisation.mode != "none") return {0, 1};
  const auto [low, high] = std::ranges::minmax(pixels);
  if (low >= 0 && high <= kMostByte) return {0, kMostByte};
  return {low, high};
}

std::byte shown(float value, ShownRange range) {
  const float span = range.high - range.low;
  const float share = span > 0 ? (value - range.low) / span : 0.0F;
  return static_cast<std::byte>(static_cast<int>(std::clamp(share, 0.0F, 1.0F) * kMostByte + 0.5F));
}

}  // namespace

base::Image rgb_of_tile(std::span<const float> pixels, std::int64_t height, std::int64_t width,
                        const Normalisation& normalisation) {
  const std::size_t channels = normalisation.shift.size();
  const ShownRange range = shown_range(pixels, normalisation);
  base::Image rgb{.height = height, .width = width, .channels = kRgb};
  rgb.pixels.reserve(static_cast<std::size_t>(height * width) * kRgb);
  for (std::size_t pixel = 0; pixel < pixels.size(); pixel += channels) {
    for (std::size_t i = 0; i < kRgb; ++i)
      rgb.pixels.push_back(shown(pixels[pixel + (channels >= kRgb ? i : 0)], range));
  }
  return rgb;
}

TilePicture picture_of_tile(const TrainingTiles& tiles, std::int64_t k) {
  const auto count = static_cast<std::size_t>(tiles.height() * tiles.width());
  std::vector<float> pixels(count * static_cast<std::size_t>(tiles.channels()));
  TilePicture picture{.labels = {.height = tiles.height(), .width = tiles.width()}};
  picture.labels.labels.resize(count);
  tiles.build(k, pixels, picture.labels.labels);
  picture.image = rgb_of_tile(pixels, tiles.height(), tiles.width(), tiles.normalisation());
  return picture;
}

}  // namespace headroom::data
