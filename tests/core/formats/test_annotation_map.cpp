// GeoJSON and GeoPackage files as labels, through the scan that a training uses. Coordinates are
// from pyproj: the image's corner lies at (600000, 5000000) of EPSG:32633, a pixel has 10 m.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/formats/gdal_library.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/core/formats/scanned_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Columns 2 to 5 of rows 1 to 3, in longitude and latitude.
constexpr const char* kField =
    "[[[16.272285302,45.146300048],[16.272793988,45.146294379],[16.272787979,45.146024395],"
    "[16.272279295,45.146030064],[16.272285302,45.146300048]]]";
/// The pixels (100, 100) to (103, 103): outside of an image of 8 x 5.
constexpr const char* kFarField =
    "[[[16.284547962,45.137251069],[16.285056566,45.137245346],[16.285048479,45.136885369],"
    "[16.284547962,45.137251069]]]";

std::string feature(const std::string& coordinates, const std::string& properties = "{}") {
  return R"({"type": "Feature", "properties": )" + properties +
         R"(, "geometry": {"type": "Polygon", "coordinates": )" + coordinates + "}}";
}
std::string collection(const std::string& features) {
  return R"({"type": "FeatureCollection", "features": [)" + features + "]}";
}

class MapScanTest : public tests::ScannedFolder {
 protected:
  /// 8 x 5 pixels, the first with its corner `columns` to the right of the coordinates' origin.
  void add_image(const std::filesystem::path& name, double columns = 0,
                 const std::string& crs = "EPSG:32633") const {
    tests::write_raster(tests::in_folder(folder_ / name),
                        {.height = 5,
                         .width = 8,
                         .values = std::vector<double>(40, 7),
                         .driver = "GTiff",
                         .crs = crs,
                         .geotransform = {600000 + 10 * columns, 10, 0, 5000000, 0, -10}});
  }
};

/// Class 1 at the columns [left, left + 4) of rows 1 to 3, cut at the image's edges.
std::vector<int> field_at(int left) {
  std::vector<int> labels(40);
  for (int row = 1; row < 4; ++row) {
    for (int column = std::max(left, 0); column < std::min(left + 4, 8); ++column)
      labels[static_cast<std::size_t>(row * 8 + column)] = 1;
  }
  return labels;
}

TEST_F(MapScanTest, GeojsonInLongitudeAndLatitude_IsReprojectedToTheImage) {
  add_image("scene.tif");
  add_text("scene.geojson", collection(feature(kField)));
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "geojson");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "object"));
  EXPECT_EQ(labels(dataset), field_at(2));
}

TEST_F(MapScanTest, HolesAndSeveralParts_AreKept) {
  add_image("scene.tif");
  add_text("scene.geojson", R"({"type": "FeatureCollection",
    "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}},
    "features": [{"type": "Feature", "properties": {}, "geometry": {"type": "MultiPolygon",
      "coordinates": [
        [[[600000,5000000],[600030,5000000],[600030,4999970],[600000,4999970],[600000,5000000]],
         [[600010,4999990],[600020,4999990],[600020,4999980],[600010,4999980],[600010,4999990]]],
        [[[600070,5000000],[600080,5000000],[600080,4999990],[600070,4999990],[600070,5000000]]]
      ]}}]})");
  const std::vector<int> actual = labels(scan());
  EXPECT_THAT(std::vector<int>(actual.begin(), actual.begin() + 24),
              ElementsAre(1, 1, 1, 0, 0, 0, 0, 1,  //
                          1, 0, 1, 0, 0, 0, 0, 0,  //
                          1, 1, 1, 0, 0, 0, 0, 0));
}

TEST_F(MapScanTest, ImageOfAnotherReferenceSystem_GetsTheSameFeature) {
  // The same place in zone 32 (EPSG:32632, from pyproj): the pixel grid is turned there, so that
  // only the area is compared: 12 pixels of 10 m.
  tests::write_raster(folder_ / "scene.tif", {.height = 20,
                                              .width = 20,
                                              .values = std::vector<double>(400, 7),
                                              .driver = "GTiff",
                                              .crs = "EPSG:32632",
                                              .geotransform = {1071619, 10, 0, 5025079, 0, -10}});
  add_text("scene.geojson", collection(feature(kField)));
  const std::vector<int> actual = labels(scan());
  EXPECT_NEAR(static_cast<double>(std::ranges::count(actual, 1)), 12, 2);
}

TEST_F(MapScanTest, Classes_ComeFromAProperty) {
  add_image("scene.tif");
  add_text("scene.geojson",
           collection(feature(kField, R"({"id": 7, "class": "road", "surface": "asphalt"})")));
  const Dataset by_rule = scan();
  EXPECT_THAT(by_rule.mapping.class_names, ElementsAre("background", "road"));
  EXPECT_THAT(told(by_rule), Contains(HasSubstr("info class-property: classes are taken from "
                                                "the property 'class'")));
  const Dataset given = scan("geojson:surface");
  EXPECT_EQ(given.summary.layout, "geojson");
  EXPECT_THAT(given.mapping.class_names, ElementsAre("background", "asphalt"));
  EXPECT_THAT(told(scan("geojson:height")),
              Contains(AllOf(HasSubstr("error annotation-broken"), HasSubstr("'height'"),
                             HasSubstr("id, class, surface"))));
}

TEST_F(MapScanTest, FeatureWithoutItsClass_IsAnError) {
  add_image("scene.tif");
  add_text("scene.geojson", collection(feature(kField, R"({"class": "road"})") + "," +
                                       feature(kField, R"({"class": null})")));
  EXPECT_THAT(told(scan()), Contains(AllOf(HasSubstr("error annotation-broken"),
                                           HasSubstr("scene.geojson: feature 2"))));
}

TEST_F(MapScanTest, FeaturesOutsideTheImage_AreAFinding) {
  add_image("scene.tif");
  add_text("scene.geojson", collection(feature(kField) + "," + feature(kFarField)));
  EXPECT_THAT(told(scan()),
              Contains(HasSubstr("warning annotation-outside: scene.geojson: feature 2")));
  add_text("scene.geojson", collection(feature(kFarField)));
  EXPECT_THAT(told(scan()), Contains(HasSubstr("error annotation-outside")));
}

TEST_F(MapScanTest, LinesAndPoints_AreLeftOutWithAFinding) {
  add_image("scene.tif");
  add_text("scene.geojson",
           collection(feature(kField) + R"(,{"type": "Feature", "properties": {}, "geometry":
             {"type": "LineString", "coordinates": [[16.2723, 45.1463], [16.2727, 45.1461]]}})"));
  const Dataset dataset = scan();
  EXPECT_EQ(labels(dataset), field_at(2));
  EXPECT_THAT(told(dataset), Contains(AllOf(HasSubstr("warning annotation-without-area"),
                                            HasSubstr("feature 2"), HasSubstr("LINESTRING"))));
}

TEST_F(MapScanTest, OneFile_MayBeOfManyImages) {
  add_image("a.tif");
  add_image("b.tif", 4);
  add_image("c.tif", 8);
  add_image("rendered_mask.tif");
  add_text("labels.geojson", collection(feature(kField)));
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_EQ(labels(dataset, 0), field_at(2));
  EXPECT_EQ(labels(dataset, 1), field_at(-2));
  EXPECT_THAT(labels(dataset, 2), Each(0));
  EXPECT_THAT(told(dataset),
              Contains(AllOf(HasSubstr("warning annotation-none"), HasSubstr("'c.tif'"))));
}

TEST_F(MapScanTest, NamesThatEndAlike_ArePaired) {
  add_image("img/scene_1_7.tif");
  add_image("img/scene_1_8.tif", 4);
  add_text("geo/buildings_1_7.geojson", collection(feature(kField)));
  add_text("geo/buildings_1_8.geojson", collection(""));
  const Dataset dataset = scan();
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].mask.filename(), "buildings_1_7.geojson");
  EXPECT_EQ(labels(dataset, 0), field_at(2));
  EXPECT_THAT(labels(dataset, 1), Each(0));
}

TEST_F(MapScanTest, FileOfNoImage_IsAnError) {
  add_image("a.tif");
  add_image("b.tif");
  add_text("a.geojson", collection(feature(kField)));
  add_text("x.geojson", collection(feature(kField)));
  add_text("y.geojson", collection(feature(kField)));
  const Dataset dataset = scan();
  EXPECT_THAT(told(dataset), Contains(HasSubstr("error image-missing: x.geojson")));
  EXPECT_THAT(told(dataset), Contains(HasSubstr("error image-missing: y.geojson")));
  EXPECT_THAT(dataset.unlabelled, ElementsAre("b.tif"));
}

TEST_F(MapScanTest, EmptyFile_IsAnErrorNamingIt) {
  add_image("a.tif");
  add_image("b.tif");
  add_text("a.geojson", collection(feature(kField)));
  add_text("b.geojson", "");
  EXPECT_THAT(told(scan()), Contains(AllOf(HasSubstr("error annotations-unreadable"),
                                           HasSubstr("b.geojson"), HasSubstr("0 bytes"))));
}

TEST_F(MapScanTest, ImageWithoutPlace_TakesCoordinatesAsPixels) {
  tests::write_grey(folder_ / "slide.png", 5, 8, 7);
  add_text("slide.geojson", collection(feature("[[[2,1],[6,1],[6,4],[2,4],[2,1]]]",
                                               R"({"objectType": "annotation"})")));
  const Dataset dataset = scan();
  EXPECT_EQ(labels(dataset), field_at(2));
  EXPECT_THAT(told(dataset), Contains(HasSubstr("info pixel-coordinates")));
}

TEST_F(MapScanTest, GeoPackage_IsReadAllLayersByName) {
  add_image("scene.tif");
  prepare_gdal();
  {
    GDALDatasetUniquePtr package(GetGDALDriverManager()->GetDriverByName("GPKG")->Create(
        (folder_ / "labels.gpkg").c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    ASSERT_TRUE(package);
    OGRSpatialReference zone;
    zone.importFromEPSG(32633);
    const auto add = [&](const char* name, const char* wkt) {
      OGRLayer* layer = package->CreateLayer(name, &zone, wkbPolygon);
      OGRFeature feature(layer->GetLayerDefn());
      OGRGeometry* shape = nullptr;
      OGRGeometryFactory::createFromWkt(wkt, nullptr, &shape);
      feature.SetGeometryDirectly(shape);
      EXPECT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
    };
    add("water",
        "POLYGON((600000 5000000,600080 5000000,600080 4999990,600000 4999990,600000 5000000))");
    add("bridge",
        "POLYGON((600020 5000000,600030 5000000,600030 4999950,600020 4999950,600020 5000000))");
  }
  const Dataset dataset = scan();
  EXPECT_EQ(dataset.summary.layout, "gpkg");
  EXPECT_THAT(dataset.mapping.class_names, ElementsAre("background", "bridge", "water"));
  const std::vector<int> actual = labels(dataset);
  EXPECT_THAT(std::vector<int>(actual.begin(), actual.begin() + 16),
              ElementsAre(2, 2, 1, 2, 2, 2, 2, 2, 0, 0, 1, 0, 0, 0, 0, 0));
}

// The mask beside the scene was not rendered from these features: the numbers are those of a Python
// script that tests each pixel's centre with the even-odd rule.
TEST(RealMaps, SpacenetScene_HasThePixelsOfItsPolygons) {
  const auto folder = tests::real_data("geotiff_spacenet");
  if (!folder) GTEST_SKIP() << "no geotiff_spacenet in $HEADROOM_TEST_DATA or shared/data";
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "geojson");
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.samples[0].id, "sample_geotiff.tif");
  const base::LabelImage labels = make_sample_reader(dataset)->read(dataset.samples[0]).labels;
  std::int64_t pixels = 0, rows = 0, columns = 0;
  for (std::size_t i = 0; i < labels.labels.size(); ++i) {
    if (labels.labels[i] != 1) continue;
    ++pixels;
    rows += static_cast<std::int64_t>(i) / labels.width;
    columns += static_cast<std::int64_t>(i) % labels.width;
  }
  EXPECT_EQ(pixels, 33818);
  EXPECT_EQ(rows, 11405969);
  EXPECT_EQ(columns, 14145803);
}

TEST(RealMaps, Tiles_ArePairedByTheEndOfTheirNames) {
  const auto folder = tests::real_data("label_formats/geojson_polygons/tiles");
  if (!folder) GTEST_SKIP() << "no label_formats in $HEADROOM_TEST_DATA or shared/data";
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.samples.size(), 3U);
  for (const auto& sample : dataset.samples) {
    const std::string image = sample.image.stem().string(), file = sample.mask.stem().string();
    EXPECT_EQ(image.substr(image.find('_', 7)), file.substr(file.find('_')));
  }
}

}  // namespace
}  // namespace headroom::formats
