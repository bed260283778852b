#include "core/formats/map_placement.hpp"

#include <fmt/format.h>
#include <gdal.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"

namespace headroom::formats {

namespace {

using base::Severity;

/// Axes as files have them: east before north, longitude before latitude.
std::optional<OGRSpatialReference> parse_crs(const std::string& wkt) {
  OGRSpatialReference crs;
  if (wkt.empty() || crs.importFromWkt(wkt.c_str()) != OGRERR_NONE) return std::nullopt;
  crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return crs;
}

bool overlap(const MapBounds& a, const MapBounds& b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y && b.min_y <= a.max_y;
}

/// From the coordinates of one reference system to an image's pixels, and back for its outline.
class PixelProjection {
 public:
  /// Nothing where no way leads from one to the other.
  static std::optional<PixelProjection> find(const std::string& crs_wkt, const RasterInfo& raster) {
    PixelProjection projection;
    if (raster.geo) {
      projection.map_from_pixel_ = raster.geo->geotransform;
      if (!GDALInvGeoTransform(projection.map_from_pixel_.data(),
                               projection.pixel_from_map_.data()))
        return std::nullopt;
    }
    const auto from = parse_crs(crs_wkt);
    const auto to = raster.geo ? parse_crs(raster.geo->crs_wkt) : std::nullopt;
    if (from && to && !from->IsSame(&*to)) {
      projection.forward_.reset(OGRCreateCoordinateTransformation(&*from, &*to));
      projection.backward_.reset(OGRCreateCoordinateTransformation(&*to, &*from));
      if (!projection.forward_ || !projection.backward_) return std::nullopt;
    }
    return projection;
  }

  /// What may touch the image, in the coordinates of the features.
  [[nodiscard]] std::optional<MapBounds> bounds_of(const RasterInfo& raster) const {
    const auto width = static_cast<double>(raster.width);
    const auto height = static_cast<double>(raster.height);
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    MapBounds box{kInfinite, kInfinite, -kInfinite, -kInfinite};
    for (const auto& [column, row] :
         {std::pair{0.0, 0.0}, {width, 0.0}, {0.0, height}, {width, height}}) {
      const auto& g = map_from_pixel_;
      const double x = g[0] + column * g[1] + row * g[2];
      const double y = g[3] + column * g[4] + row * g[5];
      box = {std::min(box.min_x, x), std::min(box.min_y, y), std::max(box.max_x, x),
             std::max(box.max_y, y)};
    }
    if (!backward_) return box;
    constexpr int kPointsPerSide = 21;
    MapBounds moved;
    if (!backward_->TransformBounds(box.min_x, box.min_y, box.max_x, box.max_y, &moved.min_x,
                                    &moved.min_y, &moved.max_x, &moved.max_y, kPointsPerSide))
      return std::nullopt;
    if (moved.min_x > moved.max_x) {  // across the 180th meridian
      moved.min_x = -kInfinite;
      moved.max_x = kInfinite;
    }
    return moved;
  }

  /// Nothing where a corner has no place in the image's reference system.
  [[nodiscard]] std::optional<Ring> to_pixels(Ring ring) const {
    for (PixelPosition& position : ring) {
      if (forward_ && !forward_->Transform(1, &position.x, &position.y)) return std::nullopt;
      const auto& g = pixel_from_map_;
      position = {g[0] + position.x * g[1] + position.y * g[2],
                  g[3] + position.x * g[4] + position.y * g[5]};
    }
    return ring;
  }

 private:
  struct Destroy {
    void operator()(OGRCoordinateTransformation* transformation) const {
      OGRCoordinateTransformation::DestroyCT(transformation);
    }
  };
  using Transformation = std::unique_ptr<OGRCoordinateTransformation, Destroy>;

  std::array<double, 6> map_from_pixel_{0, 1, 0, 0, 0, 1};
  std::array<double, 6> pixel_from_map_{0, 1, 0, 0, 0, 1};
  Transformation forward_{}, backward_{};  ///< between map and image; null where they are the same
};

class Placement {
 public:
  Placement(const MapFeatures& map, const RasterInfo& raster) : map_(map), raster_(raster) {
    placed_.image.document = map.file;
  }

  PlacedFeatures run() {
    prepare_gdal();
    const GdalMessages messages;
    std::string crs;
    for (std::size_t i = 0; i < map_.features.size(); ++i) {
      const MapFeature& feature = map_.features[i];
      if (i == 0 || feature.crs_wkt != crs) enter(feature.crs_wkt);
      crs = feature.crs_wkt;
      if (bounds_ && overlap(feature.bounds, *bounds_)) place(feature, i);
    }
    return std::move(placed_);
  }

 private:
  void enter(const std::string& crs_wkt) {
    projection_ = PixelProjection::find(crs_wkt, raster_);
    bounds_ = projection_ ? projection_->bounds_of(raster_) : std::nullopt;
    if (bounds_) return;
    placed_.image.problems.add(Severity::error, "annotation-unplaced", "the file",
                               "has coordinates that cannot be brought to its image's",
                               "give annotations in the image's reference system");
  }

  void place(const MapFeature& feature, std::size_t index) {
    Annotation annotation{.name = feature.name, .entry = feature.entry};
    bool is_touched = false;
    for (const Polygon& polygon : feature.polygons) {
      Polygon moved;
      for (const Ring& ring : polygon) {
        std::optional<Ring> pixels = projection_->to_pixels(ring);
        if (!pixels) {
          placed_.image.problems.add(Severity::error, "annotation-unplaced", feature.entry,
                                     "has a corner that lies nowhere in its image's coordinates",
                                     "cut it to the area of the images");
          return;
        }
        moved.push_back(std::move(*pixels));
      }
      is_touched = is_touched || touches(moved.front());
      add_polygon(std::move(moved), annotation, placed_.image);
    }
    if (!is_touched || annotation.polygons.empty()) return;
    placed_.used.push_back(index);
    placed_.image.annotations.push_back(std::move(annotation));
  }

  [[nodiscard]] bool touches(const Ring& outline) const {
    const auto [left, right] = std::ranges::minmax(outline, {}, &PixelPosition::x);
    const auto [top, bottom] = std::ranges::minmax(outline, {}, &PixelPosition::y);
    return left.x < static_cast<double>(raster_.width) && right.x > 0 &&
           top.y < static_cast<double>(raster_.height) && bottom.y > 0;
  }

  const MapFeatures& map_;
  const RasterInfo& raster_;
  std::optional<PixelProjection> projection_{};
  std::optional<MapBounds> bounds_{};
  PlacedFeatures placed_;
};

}  // namespace

PlacedFeatures place_features(const MapFeatures& map, const RasterInfo& raster) {
  return Placement(map, raster).run();
}

}  // namespace headroom::formats
