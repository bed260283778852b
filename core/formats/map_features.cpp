#include "core/formats/map_features.hpp"

#include <cpl_conv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ogr_geometry.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "core/formats/gdal_messages.hpp"
#include "core/formats/vector_file.hpp"

namespace headroom::formats {

namespace {

using base::Severity;

constexpr std::array<const char*, 4> kClassProperties = {"class", "class_name", "label",
                                                         "category"};

Ring ring_of(const OGRLinearRing& ring) {
  Ring positions;
  for (int i = 0; i < ring.getNumPoints(); ++i) positions.push_back({ring.getX(i), ring.getY(i)});
  return positions;
}

/// Adds the polygons in a geometry; false when there is anything else in it.
bool collect_polygons(const OGRGeometry& geometry, std::vector<Polygon>& polygons) {
  const OGRwkbGeometryType type = wkbFlatten(geometry.getGeometryType());
  if (type == wkbPolygon) {
    Polygon polygon;
    for (const OGRLinearRing* ring : *geometry.toPolygon()) polygon.push_back(ring_of(*ring));
    if (!polygon.empty()) polygons.push_back(std::move(polygon));
    return true;
  }
  if (!OGR_GT_IsSubClassOf(type, wkbGeometryCollection)) return false;
  bool are_all = true;
  for (const OGRGeometry* part : *geometry.toGeometryCollection())
    are_all = collect_polygons(*part, polygons) && are_all;
  return are_all;
}

class FeatureReader {
 public:
  FeatureReader(const std::filesystem::path& root, const std::filesystem::path& file,
                const char* driver)
      : dataset_(open_vector_file(root / file, driver)) {
    result_.file = file;
  }

  MapFeatures run(const std::string& wanted) {
    const GdalMessages messages;
    if (dataset_->GetLayerCount() == 0) {
      result_.problems.add(Severity::error, "annotation-broken", "the file", "has no layer",
                           "give a file with areas");
    }
    for (OGRLayer* layer : dataset_->GetLayers()) read_layer(*layer, wanted);
    if (messages.failed()) {
      result_.problems.add(Severity::error, "annotation-broken", "the file",
                           fmt::format("is damaged ({})", messages.text()),
                           "replace it with an intact copy");
    }
    return std::move(result_);
  }

 private:
  void read_layer(OGRLayer& layer, const std::string& wanted) {
    const int property = property_of(layer, wanted);
    const std::string crs = crs_of(layer);
    const bool is_only = dataset_->GetLayerCount() == 1;
    std::int64_t number = 0;
    layer.ResetReading();
    while (const OGRFeatureUniquePtr feature{layer.GetNextFeature()}) {
      ++number;
      MapFeature read{.name = is_only ? "object" : layer.GetName(),
                      .entry = is_only ? fmt::format("feature {}", number)
                                       : fmt::format("{}: feature {}", layer.GetName(), number),
                      .crs_wkt = crs};
      if (property >= 0) read.name = feature->GetFieldAsString(property);
      read_feature(*feature, std::move(read));
    }
  }

  void read_feature(const OGRFeature& feature, MapFeature read) {
    const OGRGeometry* stored = feature.GetGeometryRef();
    if (stored == nullptr || stored->IsEmpty()) {
      result_.problems.add(Severity::warning, "annotation-without-area", read.entry,
                           "has no geometry and is left out", "draw it, or remove it");
      return;
    }
    const std::unique_ptr<OGRGeometry> straight(stored->getLinearGeometry());
    const bool are_all = straight && collect_polygons(*straight, read.polygons);
    if (!are_all) {
      result_.problems.add(
          Severity::warning, "annotation-without-area", read.entry,
          fmt::format("is or has a {}, which is left out", stored->getGeometryName()),
          "draw areas as polygons");
    }
    if (read.polygons.empty()) return;
    if (read.name.empty()) {
      result_.problems.add(Severity::error, "annotation-broken", read.entry,
                           fmt::format("has no value for '{}'", result_.property),
                           "give it one, or take classes from another property");
      return;
    }
    OGREnvelope box;
    straight->getEnvelope(&box);
    read.bounds = {box.MinX, box.MinY, box.MaxX, box.MaxY};
    result_.features.push_back(std::move(read));
  }

  /// -1 where the layer is one class.
  int property_of(OGRLayer& layer, const std::string& wanted) {
    const OGRFeatureDefn& fields = *layer.GetLayerDefn();
    for (int i = 0; i < fields.GetFieldCount(); ++i)
      result_.other_properties.emplace_back(fields.GetFieldDefn(i)->GetNameRef());
    if (!wanted.empty()) {
      const int found = fields.GetFieldIndex(wanted.c_str());
      if (found >= 0) {
        result_.property = wanted;
      } else if (layer.GetFeatureCount() != 0) {
        result_.problems.add(
            Severity::error, "annotation-broken", "the file",
            fmt::format("has no property '{}'", wanted),
            fmt::format("name one of {}", fmt::join(result_.other_properties, ", ")));
      }
      return found;
    }
    for (const char* name : kClassProperties) {
      const int found = fields.GetFieldIndex(name);
      if (found < 0 || !has_value(layer, found)) continue;
      result_.property = fields.GetFieldDefn(found)->GetNameRef();
      return found;
    }
    return -1;
  }

  static bool has_value(OGRLayer& layer, int field) {
    layer.ResetReading();
    while (const OGRFeatureUniquePtr feature{layer.GetNextFeature()}) {
      if (*feature->GetFieldAsString(field) != '\0') return true;
    }
    return false;
  }

  static std::string crs_of(OGRLayer& layer) {
    const OGRSpatialReference* crs = layer.GetSpatialRef();
    if (crs == nullptr) return {};
    char* wkt = nullptr;
    const bool is_written = crs->exportToWkt(&wkt) == OGRERR_NONE;
    const std::string text = is_written && wkt != nullptr ? wkt : "";
    CPLFree(wkt);
    return text;
  }

  const GDALDatasetUniquePtr dataset_;
  MapFeatures result_;
};

}  // namespace

MapFeatures read_map_features(const std::filesystem::path& root, const std::filesystem::path& file,
                              const char* driver, const std::string& wanted) {
  return FeatureReader(root, file, driver).run(wanted);
}

}  // namespace headroom::formats
