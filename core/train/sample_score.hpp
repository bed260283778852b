#pragma once
// Samples predicted and judged, window by window, so that they need not be in memory. Worker
// thread.

#include <cstdint>
#include <stop_token>

#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"
#include "core/data/sample_cache.hpp"
#include "core/train/losses.hpp"
#include "core/train/metrics.hpp"
#include "core/train/predictor.hpp"

namespace headroom::train {

struct SampleScore {
  ConfusionMatrix confusion;
  LossSums sums;
  base::LabelImage shown{};  ///< the prediction of the part that was asked for
};

/// What people are shown of a sample: all of it, or the middle of one that is read by parts.
[[nodiscard]] base::PixelWindow shown_window(const data::SampleCache& samples, std::int64_t index);

/// Every pixel of a sample through the network and compared with its labels; the prediction is kept
/// inside `shown` only. Throws as Predictor::predict and the cache.
[[nodiscard]] SampleScore score_sample(Predictor& predictor, data::SampleCache& samples,
                                       std::int64_t index, const base::PixelWindow& shown,
                                       std::stop_token stop);

}  // namespace headroom::train
