// A tile with room of its own, for tests that change tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/data/tile_augmenter.hpp"

namespace headroom::tests {

struct OwnedTile {
  OwnedTile(std::int64_t tile_height, std::int64_t tile_width, std::int64_t tile_channels)
      : height(tile_height),
        width(tile_width),
        channels(tile_channels),
        pixels(static_cast<std::size_t>(height * width * channels)),
        labels(static_cast<std::size_t>(height * width)) {}

  [[nodiscard]] data::TileSpan span() { return {height, width, channels, pixels, labels}; }
  [[nodiscard]] float& at(std::int64_t y, std::int64_t x, std::int64_t band = 0) {
    return pixels[static_cast<std::size_t>((y * width + x) * channels + band)];
  }
  [[nodiscard]] std::uint8_t& label(std::int64_t y, std::int64_t x) {
    return labels[static_cast<std::size_t>(y * width + x)];
  }
  /// Calls value(y, x, band) for each pixel.
  void fill(const std::function<double(std::int64_t, std::int64_t, std::int64_t)>& value) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        for (std::int64_t band = 0; band < channels; ++band)
          at(y, x, band) = static_cast<float>(value(y, x, band));
      }
    }
  }

  std::int64_t height, width, channels;
  std::vector<float> pixels;
  std::vector<std::uint8_t> labels;
};

}  // namespace headroom::tests
