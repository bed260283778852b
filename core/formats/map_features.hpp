#pragma once
// The areas of a GeoJSON or GeoPackage file, in the file's own coordinates. Any thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// Corners of a rectangle along the axes of a reference system.
struct MapBounds {
  double min_x = 0, min_y = 0, max_x = 0, max_y = 0;
};

struct MapFeature {
  std::string name{};   ///< of its class
  std::string entry{};  ///< "feature 3"
  std::string crs_wkt{};
  std::vector<Polygon> polygons{};  ///< x, y: east, north or longitude, latitude
  MapBounds bounds{};
};

struct MapFeatures {
  std::filesystem::path file{};  ///< relative to the data folder
  std::string property{};        ///< that classes are taken from; empty where all are one
  std::vector<std::string> other_properties{};  ///< that the file has, in its order
  std::vector<MapFeature> features{};
  EntryProblems problems{};
};

/// `driver` is GDAL's: "GeoJSON" or "GPKG". Classes come from the property `wanted`; where that is
/// empty, from the first of class, class_name, label, category that features have; else each layer
/// is a class by its name, or, where there is one layer, all are "object". Lines and points have no
/// area and are left out, with a problem. Throws Error (unusable_data) when the file cannot be
/// read. `file` is relative to `root`.
[[nodiscard]] MapFeatures read_map_features(const std::filesystem::path& root,
                                            const std::filesystem::path& file, const char* driver,
                                            const std::string& wanted);

}  // namespace headroom::formats
