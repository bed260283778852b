#include "core/formats/footprint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogr_spatialref.h>

#include "core/formats/gdal_library.hpp"

namespace headroom::formats {
namespace {

std::string wkt_of(int epsg) {
  prepare_gdal();
  OGRSpatialReference reference;
  reference.importFromEPSG(epsg);
  char* text = nullptr;
  reference.exportToWkt(&text);
  std::string wkt = text;
  CPLFree(text);
  return wkt;
}

/// 100 x 100 pixels of 10 m with the upper left corner at (x, y) of UTM zone 33N.
std::optional<Footprint> square_km(double x, double y) {
  return footprint_of({wkt_of(32633), {x, 10, 0, y, 0, -10}}, {.width = 100, .height = 100});
}

std::vector<FootprintOverlap> overlaps_of(std::optional<Footprint> train,
                                          std::optional<Footprint> validation) {
  return find_overlaps({std::move(train), std::move(validation)},
                       {.train = {0}, .validation = {1}});
}

TEST(FootprintOf, Window_GivesItsCorners) {
  const auto footprint = footprint_of({"", {100, 2, 0.5, 200, 0, -3}},
                                      {.left = 10, .top = 4, .width = 5, .height = 6});
  ASSERT_TRUE(footprint);
  EXPECT_EQ(footprint->corners[0], (std::array<double, 2>{122, 188}));
  EXPECT_EQ(footprint->corners[2], (std::array<double, 2>{135, 170}));
}

TEST(FootprintOf, FileThatIsPlacedNowhere_HasNone) {
  EXPECT_FALSE(footprint_of({wkt_of(32633), {0, 1, 0, 0, 0, 1}}, {.width = 5, .height = 5}));
}

TEST(FindOverlaps, HalfOfASquare_IsHalf) {
  const auto overlaps = overlaps_of(square_km(500000, 5000000), square_km(500500, 5000000));
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_EQ(overlaps[0].train, 0);
  EXPECT_EQ(overlaps[0].validation, 1);
  EXPECT_NEAR(overlaps[0].share, 0.5, 1e-9);
}

TEST(FindOverlaps, NeighboursAndSlivers_AreNone) {
  EXPECT_TRUE(overlaps_of(square_km(500000, 5000000), square_km(501000, 5000000)).empty());
  EXPECT_TRUE(overlaps_of(square_km(500000, 5000000), square_km(500995, 5000000)).empty());
  EXPECT_TRUE(overlaps_of(square_km(500000, 5000000), std::nullopt).empty());
}

TEST(FindOverlaps, RotatedSquare_CountsByItsOutline) {
  // Squares that stand on a corner; the bounds of both overlap those of the other square.
  const auto diamond = [](double left, double middle) {
    return footprint_of({wkt_of(32633), {left, 7, 7, middle, -7, 7}},
                        {.width = 100, .height = 100});
  };
  EXPECT_EQ(overlaps_of(square_km(500000, 5001000), diamond(500400, 5000500)).size(), 1U);
  EXPECT_TRUE(overlaps_of(square_km(500000, 5001000), diamond(500900, 4999800)).empty());
}

TEST(FindOverlaps, OtherReferenceSystem_IsReprojected) {
  // UTM 33N (500000, 5000000) lies at longitude 15, latitude 45.1535 (by the length of the
  // meridian); a degree is 111.2 km of latitude and 78.6 km of longitude there.
  const GeoReference degrees{wkt_of(4326), {15.0, 0.0001, 0, 45.1535, 0, -0.0001}};
  const auto footprint = footprint_of(degrees, {.width = 127, .height = 90});
  const auto overlaps = overlaps_of(square_km(500000, 5000000), footprint);
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_GT(overlaps[0].share, 0.95);
}

TEST(FindOverlaps, UnknownReferenceSystems_AreComparedAmongThemselves) {
  const auto unknown = [](double x) {
    return footprint_of({"", {x, 1, 0, 0, 0, -1}}, {.width = 100, .height = 100});
  };
  EXPECT_EQ(overlaps_of(unknown(500), unknown(550)).size(), 1U);
  EXPECT_TRUE(overlaps_of(square_km(500000, 5000000), unknown(500)).empty());
}

TEST(FindOverlaps, SeveralTrainingImages_TheLargestPartIsTold) {
  const auto overlaps = find_overlaps(
      {square_km(499500, 5000000), square_km(500200, 5000000), square_km(500000, 5000000)},
      {.train = {0, 1}, .validation = {2}});
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_EQ(overlaps[0].train, 1);
  EXPECT_NEAR(overlaps[0].share, 0.8, 1e-9);
}

}  // namespace
}  // namespace headroom::formats
