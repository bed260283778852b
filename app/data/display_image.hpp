#pragma once
// An image of any depth as a picture that people can look at, and made small. Pure; any thread.

#include <cstdint>

#include "core/base/image.hpp"

namespace headroom::app {

/// u8, 3 channels: the first three bands, or the first one as grey. Deeper values are stretched
/// band by band, so that the 1st and 99th percentile become black and white; what is missing (NaN,
/// nodata) does not count in them.
[[nodiscard]] base::Image displayable(const base::Image& image);

/// Made so small that no side is above `most_pixels`; each pixel is the mean of its area. `rgb` is
/// u8, 3 channels.
[[nodiscard]] base::Image reduced(base::Image rgb, std::int64_t most_pixels);
/// To the same size as an image of this size; each pixel is the one in the middle of its area.
[[nodiscard]] base::LabelImage reduced(base::LabelImage labels, std::int64_t most_pixels);

}  // namespace headroom::app
