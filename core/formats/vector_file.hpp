#pragma once
// Files of tables and shapes through GDAL's vector side (OGR). One thread at a time.

#include <gdal_priv.h>

#include <filesystem>

namespace headroom::formats {

/// Opens a file with one of GDAL's vector drivers ("CSV", "GeoJSON", "GPKG"), for reading. Throws
/// Error (unusable_data) naming the file: empty, damaged, or not of that format.
[[nodiscard]] GDALDatasetUniquePtr open_vector_file(const std::filesystem::path& file,
                                                    const char* driver);

}  // namespace headroom::formats
