#pragma once
// PNG pictures of a run made small for a report. Any thread, different files.

#include <cstdint>
#include <filesystem>

#include "core/base/image.hpp"

namespace headroom::formats {

/// u8, 1 or 3 channels. At most `most_width` wide; each pixel is the mean of its area then. Throws
/// Error: unusable_data when it is no 8-bit PNG of 1 or 3 channels.
[[nodiscard]] base::Image read_reduced_png(const std::filesystem::path& file,
                                           std::int64_t most_width);

}  // namespace headroom::formats
