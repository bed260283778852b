#include "core/formats/band_changes.hpp"

#include <opencv2/imgproc.hpp>

namespace headroom::formats {

namespace {

/// Contrast about the mean, and brightness in spreads: one linear function.
void change_contrast_and_brightness(const BandChange& change, cv::Mat& band) {
  cv::Scalar mean, spread;
  cv::meanStdDev(band, mean, spread);
  const double shift = mean[0] * (1 - change.contrast) + change.brightness * spread[0];
  band.convertTo(band, CV_32F, change.contrast, shift);
}

void change_gamma(double exponent, cv::Mat& band) {
  double low = 0, high = 0;
  cv::minMaxLoc(band, &low, &high);
  const double range = high - low;
  if (!(range > 0)) return;
  band.convertTo(band, CV_32F, 1 / range, -low / range);
  // Rounding may leave a little less than 0, which has no power.
  cv::max(band, 0.0, band);
  cv::pow(band, exponent, band);
  band.convertTo(band, CV_32F, range, low);
}

void add_noise(const BandChange& change, cv::Mat& band) {
  cv::Scalar mean, spread;
  cv::meanStdDev(band, mean, spread);
  cv::Mat noise(band.size(), CV_32FC1);
  cv::RNG(change.noise_seed).fill(noise, cv::RNG::NORMAL, 0.0, change.noise * spread[0]);
  cv::add(band, noise, band);
}

}  // namespace

cv::Mat copy_band(const data::TileSpan& tile, std::int64_t band) {
  cv::Mat values(static_cast<int>(tile.height), static_cast<int>(tile.width), CV_32FC1);
  const float* source = tile.pixels.data() + band;
  auto* value = values.ptr<float>();
  for (std::int64_t pixel = tile.height * tile.width; pixel > 0; --pixel) {
    *value++ = *source;
    source += tile.channels;
  }
  return values;
}

void put_band(const cv::Mat& values, std::int64_t band, const data::TileSpan& tile) {
  float* target = tile.pixels.data() + band;
  const auto* value = values.ptr<float>();
  for (std::int64_t pixel = tile.height * tile.width; pixel > 0; --pixel) {
    *target = *value++;
    target += tile.channels;
  }
}

bool BandChange::changes_nothing() const {
  return blur_px == 0 && contrast == 1 && brightness == 0 && gamma == 1 && noise == 0;
}

BandChange draw_band_change(const data::Augmentation& augmentation, data::CounterRandom& random) {
  BandChange change;
  change.blur_px = draw(augmentation.blur, 0, random);
  change.contrast = draw(augmentation.contrast, 1, random);
  change.brightness = draw(augmentation.brightness, 0, random);
  change.gamma = draw_factor(augmentation.gamma, random);
  change.noise = draw(augmentation.noise, 0, random);
  change.noise_seed = random.next();
  return change;
}

void apply(const BandChange& change, cv::Mat& band) {
  if (change.blur_px > 0) {
    cv::GaussianBlur(band, band, {}, change.blur_px, change.blur_px, cv::BORDER_REFLECT_101);
  }
  if (change.contrast != 1 || change.brightness != 0) change_contrast_and_brightness(change, band);
  if (change.gamma != 1) change_gamma(change.gamma, band);
  if (change.noise > 0) add_noise(change, band);
}

}  // namespace headroom::formats
