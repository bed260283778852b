#pragma once
// Which ground a georeferenced raster shows, and whether two show the same. Any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/sample.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// The outline of a raster on the ground.
struct Footprint {
  std::string crs_wkt{};  ///< empty when unknown
  std::array<std::array<double, 2>, 4>
      corners{};  ///< x and y in the CRS's unit, around the outline
};

/// Of a window of a raster; nothing where its file places it nowhere.
[[nodiscard]] std::optional<Footprint> footprint_of(const GeoReference& geo,
                                                    const PixelWindow& window);

struct FootprintOverlap {
  std::int64_t train = 0;  ///< indices of samples
  std::int64_t validation = 0;
  double share = 0;  ///< of the smaller footprint's area, in (0, 1]
};

/// The training sample that covers most of it for each validation sample that has more than 1 % in
/// common with one. `footprints` by sample. Those in other coordinate reference systems than the
/// first are reprojected; what cannot be, and what has no CRS beside those that have, is not
/// compared.
[[nodiscard]] std::vector<FootprintOverlap> find_overlaps(
    const std::vector<std::optional<Footprint>>& footprints, const data::Split& split);

}  // namespace headroom::formats
