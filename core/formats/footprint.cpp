#include "core/formats/footprint.hpp"

#include <ogr_api.h>
#include <ogr_geometry.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"

namespace headroom::formats {

namespace {

/// Neighbouring tiles whose borders were rounded share slivers.
constexpr double kSliverShare = 0.01;
/// Straight edges become curves in another reference system.
constexpr int kPartsPerEdge = 8;

/// x before y in every reference system, as geotransforms have them.
OGRSpatialReference reference_of(const std::string& wkt) {
  OGRSpatialReference reference;
  reference.importFromWkt(wkt.c_str());
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return reference;
}

double side_length(const Footprint& footprint) {
  const auto& [a, b, c, d] = footprint.corners;
  return std::min(std::hypot(a[0] - b[0], a[1] - b[1]), std::hypot(b[0] - c[0], b[1] - c[1]));
}

/// A footprint ready to compare.
struct Outline {
  OGRPolygon polygon{};
  OGREnvelope bounds{};
  bool has_crs = false;
};

/// Outlines in the reference system of the first footprint that has one.
class OutlineMaker {
 public:
  std::unique_ptr<Outline> make(const Footprint& footprint) {
    auto outline = std::make_unique<Outline>();
    OGRLinearRing ring;
    for (const auto& corner : footprint.corners) ring.addPoint(corner[0], corner[1]);
    ring.closeRings();
    outline->polygon.addRing(&ring);
    outline->has_crs = !footprint.crs_wkt.empty();
    if (outline->has_crs && !reproject(footprint, outline->polygon)) return nullptr;
    outline->polygon.getEnvelope(&outline->bounds);
    return outline;
  }

 private:
  bool reproject(const Footprint& footprint, OGRPolygon& polygon) {
    if (target_wkt_.empty()) {
      target_wkt_ = footprint.crs_wkt;
      target_ = reference_of(target_wkt_);
    }
    if (footprint.crs_wkt == target_wkt_) return true;
    auto& transformation = transformations_[footprint.crs_wkt];
    if (!transformation) {
      const OGRSpatialReference source = reference_of(footprint.crs_wkt);
      transformation.reset(OGRCreateCoordinateTransformation(&source, &target_));
    }
    polygon.segmentize(side_length(footprint) / kPartsPerEdge);
    return transformation && polygon.transform(transformation.get()) == OGRERR_NONE;
  }

  std::string target_wkt_;
  OGRSpatialReference target_;
  std::map<std::string, std::unique_ptr<OGRCoordinateTransformation>> transformations_;
};

double shared_part(const Outline& a, const Outline& b) {
  if (a.has_crs != b.has_crs || !a.bounds.Intersects(b.bounds)) return 0;
  const std::unique_ptr<OGRGeometry> common(a.polygon.Intersection(&b.polygon));
  if (!common) return 0;
  const double area = OGR_G_Area(OGRGeometry::ToHandle(common.get()));
  const double smaller = std::min(a.polygon.get_Area(), b.polygon.get_Area());
  return smaller > 0 ? std::min(1.0, area / smaller) : 0;
}

}  // namespace

std::optional<Footprint> footprint_of(const GeoReference& geo, const PixelWindow& window) {
  constexpr std::array<double, 6> kUnplaced = {0, 1, 0, 0, 0, 1};
  if (geo.geotransform == kUnplaced) return std::nullopt;
  const auto& g = geo.geotransform;
  const auto left = static_cast<double>(window.left), top = static_cast<double>(window.top);
  const double right = left + static_cast<double>(window.width);
  const double bottom = top + static_cast<double>(window.height);
  const auto corner = [&](double x, double y) {
    return std::array<double, 2>{g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5]};
  };
  return Footprint{.crs_wkt = geo.crs_wkt,
                   .corners = {corner(left, top), corner(right, top), corner(right, bottom),
                               corner(left, bottom)}};
}

std::vector<FootprintOverlap> find_overlaps(const std::vector<std::optional<Footprint>>& footprints,
                                            const data::Split& split) {
  prepare_gdal();
  const GdalMessages messages;
  OutlineMaker maker;
  std::vector<std::unique_ptr<Outline>> outlines(footprints.size());
  for (std::size_t i = 0; i < footprints.size(); ++i)
    if (footprints[i]) outlines[i] = maker.make(*footprints[i]);
  const auto outline_of = [&](std::int64_t sample) {
    return outlines.at(static_cast<std::size_t>(sample)).get();
  };
  std::vector<FootprintOverlap> overlaps;
  for (const std::int64_t validation : split.validation) {
    FootprintOverlap largest{.validation = validation, .share = kSliverShare};
    const Outline* const judged = outline_of(validation);
    for (const std::int64_t train : split.train) {
      const Outline* const learned = outline_of(train);
      if (judged == nullptr || learned == nullptr) continue;
      const double share = shared_part(*judged, *learned);
      if (share > largest.share) largest = {train, validation, share};
    }
    if (largest.share > kSliverShare) overlaps.push_back(largest);
  }
  return overlaps;
}

}  // namespace headroom::formats
