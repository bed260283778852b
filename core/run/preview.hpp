#pragma once
// A validation image with truth and prediction, made small enough to be shown. Immutable once it is
// shared.

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/image.hpp"

namespace headroom::run {

struct SamplePreview {
  /// Longest side of what is shown; larger images are reduced to it.
  static constexpr std::int64_t kMostPixels = 2048;

  std::string sample_id{};
  std::int64_t step = 0;                         ///< of the model that predicted
  std::int64_t full_height = 0, full_width = 0;  ///< as stored in its file
  double mean_dice = 0;                    ///< of this image, at full size; NaN where none counts
  base::Image image{};                     ///< u8, 3 channels
  base::LabelImage truth{}, prediction{};  ///< of the image's size
};

using SharedPreview = std::shared_ptr<const SamplePreview>;

}  // namespace headroom::run
