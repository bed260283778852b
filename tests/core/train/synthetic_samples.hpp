#pragma once
// Samples that are computed, not read: images of rectangles whose brightness tells the class, with
// exact masks.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/data/sample.hpp"
#include "core/data/sample_cache.hpp"
#include "core/train/training_session.hpp"

namespace headroom::tests {

/// 8-bit, 1 channel: the right half of the image is bright and class 1, the first row is ignored.
inline data::DecodedSample half_bright_sample(std::int64_t height, std::int64_t width,
                                              std::int64_t variant) {
  data::DecodedSample sample;
  sample.image.height = sample.labels.height = height;
  sample.image.width = sample.labels.width = width;
  sample.image.channels = 1;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool bright = x >= width / 2;
      const auto noise = (x * 7 + y * 13 + variant * 29) % 17;
      sample.image.pixels.push_back(static_cast<std::byte>((bright ? 170 : 60) + noise));
      sample.labels.labels.push_back(y == 0 ? base::kIgnoreLabel : std::uint8_t{bright});
    }
  }
  return sample;
}

class HalfBrightReader final : public data::SampleReader {
 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    return half_bright_sample(sample.height, sample.width, std::stoll(sample.id));
  }
};

/// `count` samples, the last of them for validation.
inline train::TrainingData half_bright_data(std::int64_t count, std::int64_t height,
                                            std::int64_t width) {
  train::TrainingData made;
  std::vector<data::Sample> samples;
  for (std::int64_t i = 0; i < count; ++i) {
    data::Sample sample;
    sample.id = std::to_string(i);
    sample.height = height;
    sample.width = width;
    samples.push_back(std::move(sample));
    (i + 1 < count ? made.split.train : made.split.validation).push_back(i);
  }
  made.samples = std::make_shared<data::SampleCache>(
      std::move(samples), std::make_shared<HalfBrightReader>(), std::int64_t{1} << 24);
  made.mapping.class_names = {"dark", "bright"};
  made.mapping.ids = {{{false, 0}, 0}, {{false, 255}, 1}};
  made.normalisation = {.mode = "zscore", .shift = {115.0}, .scale = {1.0 / 55}};
  made.summary.channels = 1;
  made.summary.samples = count;
  made.summary.root = "synthetic";
  made.summary.fingerprint = "f00d";
  return made;
}

}  // namespace headroom::tests
