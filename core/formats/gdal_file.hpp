#pragma once
// PNG, JPEG, TIFF, BMP, WebP, JPEG 2000 and more through GDAL. The pages of a TIFF are its
// full-size directories; reduced copies and masks are none.

#include <filesystem>
#include <memory>

#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// Throws Error (unusable_data) naming the file when GDAL does not take it, when GDAL is known to
/// misread it, or when its pixels are complex.
[[nodiscard]] std::unique_ptr<RasterFile> open_with_gdal(const std::filesystem::path& file);

}  // namespace headroom::formats
