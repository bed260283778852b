#pragma once
// Areas of a map laid onto an image by its place on the ground. Any thread.

#include <cstddef>
#include <vector>

#include "core/formats/annotation.hpp"
#include "core/formats/map_features.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

struct PlacedFeatures {
  AnnotatedImage image{};           ///< without its name
  std::vector<std::size_t> used{};  ///< indices of the features that touch the image
};

/// Coordinates are reprojected from each feature's reference system to the image's, corner by
/// corner, and become pixels through its geotransform. Where the image has no reference system, its
/// coordinates are taken for the features'; where it has no geotransform either, the features are
/// in pixels. What cannot be placed is a problem of the image.
[[nodiscard]] PlacedFeatures place_features(const MapFeatures& map, const RasterInfo& raster);

}  // namespace headroom::formats
