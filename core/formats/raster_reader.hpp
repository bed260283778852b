#pragma once
// One page of a raster file of any format, whole. Pure functions over files; any thread,
// several at once.

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/image.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// What becomes of a last band that the file calls alpha.
enum class AlphaBand {
  keep,              ///< a band like any other
  drop,              ///< left out
  drop_if_constant,  ///< left out when all its values are equal, which then tell nothing
};

struct ImageReadOptions {
  AlphaBand alpha = AlphaBand::drop_if_constant;
  std::int64_t page = 0;
};

/// Extensions of the files that these readers take, in lower case with the dot.
[[nodiscard]] bool has_raster_extension(const std::filesystem::path& file);

/// In lower case with the dot; "" without one.
[[nodiscard]] std::string lower_extension(const std::filesystem::path& file);

/// The header alone. Throws Error: unusable_data when it is no raster that can be used, io when it
/// cannot be opened.
[[nodiscard]] RasterInfo read_raster_info(const std::filesystem::path& file);

/// A raster as its file has it: palette indices are not expanded, no band is left out.
struct RasterPixels {
  RasterInfo info{};
  base::Image image{};
};

/// Throws as read_image.
[[nodiscard]] RasterPixels read_raster(const std::filesystem::path& file, std::int64_t page = 0);

/// The picture that a raster means: palette entries as RGB, an alpha band as `options` say.
[[nodiscard]] base::Image as_image(RasterPixels raster, const ImageReadOptions& options);

/// All bands in their own depth; 8-bit signed values become 16-bit, 64-bit integers 32-bit where
/// they fit, palettes become RGB. Pixels are as stored: EXIF's orientation is not applied, neither
/// to images nor to masks, and a TIFF's CMYK or CIELAB bands are kept; only JPEG's own colour
/// spaces become RGB. Throws Error (unusable_data) naming the file when it is truncated, damaged,
/// of an unsupported type (complex, larger integers) or does not fit into memory.
[[nodiscard]] base::Image read_image(const std::filesystem::path& file,
                                     const ImageReadOptions& options = {});

}  // namespace headroom::formats
