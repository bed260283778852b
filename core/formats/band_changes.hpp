#pragma once
// Blur, contrast, brightness, gamma and noise of one band of a tile. Pure; any thread.

#include <cstdint>
#include <opencv2/core.hpp>

#include "core/data/tile_augmenter.hpp"

namespace headroom::formats {

/// One band as CV_32FC1 [h, w], and back.
[[nodiscard]] cv::Mat copy_band(const data::TileSpan& tile, std::int64_t band);
void put_band(const cv::Mat& values, std::int64_t band, const data::TileSpan& tile);

/// What one band of one tile gets; strengths as in data::Augmentation.
struct BandChange {
  double blur_px = 0;
  double contrast = 1;
  double brightness = 0;
  double gamma = 1;
  double noise = 0;
  std::uint64_t noise_seed = 0;

  [[nodiscard]] bool changes_nothing() const;
};

/// Takes the same number of draws whatever comes out.
[[nodiscard]] BandChange draw_band_change(const data::Augmentation& augmentation,
                                          data::CounterRandom& random);

/// Changes `band` (CV_32FC1), in the order of the struct's fields.
void apply(const BandChange& change, cv::Mat& band);

}  // namespace headroom::formats
