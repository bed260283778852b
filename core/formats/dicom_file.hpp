#pragma once
// DICOM images through GDCM: one or many frames, uncompressed, RLE, JPEG, JPEG-LS, JPEG 2000. Pages
// are frames.

#include <filesystem>
#include <memory>

#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// Values are in the unit that slope and intercept give (CT: HU), those of each frame where frames
/// differ, also where MONOCHROME1 stores the
/// picture inverted: its stored values are mirrored first, so that larger values are brighter in
/// every file. YCbCr becomes RGB, palette indices are kept. Throws Error (unusable_data) for files
/// without an image, damaged ones and unknown compressions.
[[nodiscard]] std::unique_ptr<RasterFile> open_dicom(const std::filesystem::path& file);

}  // namespace headroom::formats
