#pragma once
// NumPy's .npy files, format versions 1 to 3 (numpy.lib.format). Arrays of two axes are [h, w]. Of
// three, an axis of at most kMostNpyChannels holds channels: the last ([h, w, c]), else the first
// ([c, h, w]); without one they are pages: [pages, h, w].

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/formats/raster_file.hpp"

namespace headroom::formats {

inline constexpr std::int64_t kMostNpyChannels = 16;

/// Booleans are 0 and 1; 8-bit signed values become 16-bit, 64-bit integers 32-bit where they fit.
/// Throws Error (unusable_data) for other types, other numbers of axes, big-endian values and files
/// shorter than their header says.
[[nodiscard]] std::unique_ptr<RasterFile> open_npy(const std::filesystem::path& file);

}  // namespace headroom::formats
