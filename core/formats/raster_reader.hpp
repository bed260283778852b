#pragma once
// Images from PNG, JPEG, TIFF, BMP, WebP, JPEG 2000 and more, through GDAL, exactly as stored. Pure
// functions over files; any thread, several at once.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/image.hpp"

namespace headroom::formats {

/// Where a raster lies on the ground.
struct GeoReference {
  std::string crs_wkt{};                 ///< empty when unknown
  std::array<double, 6> geotransform{};  ///< GDAL's order; x = g0 + column * g1 + row * g2
  friend bool operator==(const GeoReference&, const GeoReference&) = default;
};

enum class RasterKind { bands, palette };

struct RasterInfo {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  ///< bands in the file, an alpha band included; 1 for a palette
  base::PixelType type = base::PixelType::u8;
  RasterKind kind = RasterKind::bands;
  std::vector<std::uint32_t> palette{};  ///< 0xRRGGBB by index
  bool has_alpha = false;                ///< the last band is alpha, says the file
  std::optional<double> nodata{};
  std::optional<GeoReference> geo{};
  std::int64_t orientation =
      1;  ///< EXIF's; other than 1: viewers show the image turned. Pixels are read as stored
  std::int64_t pages = 1;  ///< of a multi-page file; the first is read
  std::string format{};    ///< GDAL's short driver name
};

/// What becomes of a last band that the file calls alpha.
enum class AlphaBand {
  keep,              ///< a band like any other
  drop,              ///< left out
  drop_if_constant,  ///< left out when all its values are equal, which then tell nothing
};

struct ImageReadOptions {
  AlphaBand alpha = AlphaBand::drop_if_constant;
};

/// Extensions of the files that these readers take, in lower case with the dot.
[[nodiscard]] bool has_raster_extension(const std::filesystem::path& file);

/// The header alone. Throws Error: unusable_data when it is no raster that can be used, io when it
/// cannot be opened.
[[nodiscard]] RasterInfo read_raster_info(const std::filesystem::path& file);

/// A raster as its file has it: palette indices are not expanded, no band is left out.
struct RasterPixels {
  RasterInfo info{};
  base::Image image{};
};

/// Throws as read_image.
[[nodiscard]] RasterPixels read_raster(const std::filesystem::path& file);

/// The picture that a raster means: palette entries as RGB, an alpha band as `options` say.
[[nodiscard]] base::Image as_image(RasterPixels raster, const ImageReadOptions& options);

/// All bands in their own depth; 8-bit signed values become 16-bit, palettes become RGB. Pixels are
/// as stored: EXIF's orientation is not applied, neither to images nor to masks, and a TIFF's CMYK
/// or CIELAB bands are kept; only JPEG's own colour spaces become RGB. Throws Error
/// (unusable_data) naming the file when it is truncated, damaged, of an unsupported type (complex,
/// 64-bit integer) or does not fit into memory.
[[nodiscard]] base::Image read_image(const std::filesystem::path& file,
                                     const ImageReadOptions& options = {});

}  // namespace headroom::formats
