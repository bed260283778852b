#pragma once
// GeoJSON and GeoPackage files of a data folder as annotations of its images. Runs on a job thread;
// its own threads are gone when it returns.

#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/annotation_scan.hpp"
#include "core/formats/image_names.hpp"
#include "core/formats/map_features.hpp"

namespace headroom::formats {

struct MapDocuments {
  std::vector<AnnotationDocument> documents{};  ///< of each file, in their order
  std::vector<base::Finding> findings{};
};

/// Which file is of which image: the one of its stem; else the only one that ends like it from some
/// '_' on, with a number in this end ("geoms_7_9.geojson", "scene_7_9.tif"), no other image ending
/// so; else, where one file is left over, this one is of all images that are left over, except
/// those named like masks. Areas that touch no image, and images that no area of such a file
/// touches, are findings; where no area touches any image, it is an error.
[[nodiscard]] MapDocuments annotate_by_place(const AnnotationScan& scan, const ImageNames& images,
                                             const std::vector<MapFeatures>& maps);

}  // namespace headroom::formats
