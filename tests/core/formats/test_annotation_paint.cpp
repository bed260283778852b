#include "core/formats/annotation_paint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/data/counter_random.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Codes are what the names are as numbers.
std::vector<double> paint(const AnnotatedImage& image, ImageSize size, PixelWindow window = {}) {
  if (window.width == 0) window = {.width = size.width, .height = size.height};
  return tests::values_in(
      paint_annotations(
          image, [](const Annotation& a) { return static_cast<std::uint16_t>(std::stoi(a.name)); },
          size, window)
          .codes);
}

AnnotatedImage polygons(const std::vector<Polygon>& shapes) {
  AnnotatedImage image;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    image.annotations.push_back({.name = std::to_string(i + 1), .polygons = {shapes[i]}});
  return image;
}

/// Even-odd at a pixel's centre: crossings of the ray to the left.
bool is_inside(const Polygon& polygon, double x, double y) {
  bool inside = false;
  for (const Ring& ring : polygon) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const PixelPosition& a = ring[i];
      const PixelPosition& b = ring[(i + 1) % ring.size()];
      if ((a.y > y) != (b.y > y) && x > a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
        inside = !inside;
    }
  }
  return inside;
}

TEST(PaintAnnotations, Pixel_BelongsToAPolygonWhenItsCentreDoes) {
  // Corners at the edges of pixels: exactly the pixels between them.
  EXPECT_THAT(paint(polygons({{{{1, 0}, {3, 0}, {3, 2}, {1, 2}}}}), {3, 4}),
              ElementsAre(0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0));
  // From 0.6 to 2.6: the centres 1.5 and 2.5 are inside, 0.5 is not.
  EXPECT_THAT(paint(polygons({{{{0.6, 0.4}, {2.6, 0.4}, {2.6, 0.6}, {0.6, 0.6}}}}), {1, 4}),
              ElementsAre(0, 1, 1, 0));
}

TEST(PaintAnnotations, RandomPolygonsWithHoles_AreWhereTheRayCrossingRuleSaysSo) {
  data::CounterRandom random(7, 0, 0);
  const ImageSize size{23, 31};
  for (int round = 0; round < 40; ++round) {
    std::vector<Polygon> shapes;
    for (int shape = 0; shape < 3; ++shape) {
      Polygon& polygon = shapes.emplace_back();
      for (int ring = 0; ring < 2; ++ring) {
        Ring& corners = polygon.emplace_back();
        for (int corner = 0; corner < 7; ++corner)
          corners.push_back({random.between(-6, 38), random.between(-6, 28)});
      }
    }
    std::vector<double> expected;
    for (std::int64_t y = 0; y < size.height; ++y) {
      for (std::int64_t x = 0; x < size.width; ++x) {
        double code = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          if (is_inside(shapes[i], static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5))
            code = static_cast<double>(i + 1);
        }
        expected.push_back(code);
      }
    }
    EXPECT_EQ(paint(polygons(shapes), size), expected) << round;
  }
}

TEST(PaintAnnotations, PolygonsOfOneAnnotation_AreUnited) {
  AnnotatedImage image;
  image.annotations.push_back(
      {.name = "1",
       .polygons = {{{{0, 0}, {3, 0}, {3, 1}, {0, 1}}}, {{{2, 0}, {4, 0}, {4, 1}, {2, 1}}}}});
  EXPECT_THAT(paint(image, {1, 5}), ElementsAre(1, 1, 1, 1, 0));
}

TEST(PaintAnnotations, LaterAnnotations_CoverEarlierOnesWhateverTheirKind) {
  AnnotatedImage image = polygons({{{{0, 0}, {4, 0}, {4, 1}, {0, 1}}}});
  image.annotations.push_back({.name = "2", .runs = {{1, 2}}});
  image.annotations.push_back({.name = "3", .polygons = {{{{2, 0}, {3, 0}, {3, 1}, {2, 1}}}}});
  EXPECT_THAT(paint(image, {1, 5}), ElementsAre(1, 2, 3, 1, 0));
}

TEST(PaintAnnotations, Runs_GoDownTheColumns) {
  AnnotatedImage image;
  image.annotations.push_back({.name = "5", .runs = {{1, 3}}});
  EXPECT_THAT(paint(image, {2, 3}), ElementsAre(0, 5, 0, 5, 5, 0));
}

TEST(PaintAnnotations, RelativePositions_AreSharesOfTheSize) {
  AnnotatedImage image = polygons({{{{0.5, 0}, {1, 0}, {1, 0.5}, {0.5, 0.5}}}});
  image.is_relative = true;
  EXPECT_THAT(paint(image, {2, 4}), ElementsAre(0, 0, 1, 1, 0, 0, 0, 0));
}

TEST(PaintAnnotations, Window_IsThatPartOfTheWhole) {
  const tests::TemporaryFolder folder;
  tests::write_grey(folder / "m.png", 5, 7, [] {
    std::vector<double> values(35);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = 255;
    return values;
  }());
  AnnotatedImage image = polygons({{{{0.2, 0.3}, {6.1, 1.7}, {2.2, 4.9}}}});
  image.annotations.push_back({.name = "2", .runs = {{3, 9}, {30, 5}}});
  image.annotations.push_back({.name = "3", .mask = folder / "m.png"});
  image.annotations.push_back({.name = "4", .polygons = {{{{4, 1}, {7, 1}, {7, 4}}}}});
  const ImageSize size{5, 7};
  const std::vector<double> whole = paint(image, size);
  const PixelWindow window{.left = 2, .top = 1, .width = 4, .height = 3};
  std::vector<double> expected;
  for (std::int64_t y = 0; y < window.height; ++y) {
    for (std::int64_t x = 0; x < window.width; ++x)
      expected.push_back(
          whole[static_cast<std::size_t>((y + window.top) * size.width + x + window.left)]);
  }
  EXPECT_EQ(paint(image, size, window), expected);
}

TEST(PaintAnnotations, ObjectsOfRunsAndMasks_AreCountedWhereTheyOverlap) {
  AnnotatedImage image;
  image.annotations.push_back({.name = "1", .runs = {{0, 4}}});
  image.annotations.push_back({.name = "2", .runs = {{2, 4}}});
  const auto painted = paint_annotations(image, [](const Annotation&) { return std::uint16_t{1}; },
                                         {3, 3}, {.width = 3, .height = 3});
  EXPECT_EQ(painted.overlapping_pixels, 2);
}

TEST(PaintAnnotations, RunBeyondTheImage_ThrowsNamingDocumentAndEntry) {
  AnnotatedImage image{.document = "runs.csv"};
  image.annotations.push_back({.name = "1", .entry = "row 4", .runs = {{5, 2}}});
  const auto error = tests::thrown_error([&] { static_cast<void>(paint(image, {2, 3})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::unusable_data);
  EXPECT_THAT(error->what(), HasSubstr("runs.csv: row 4"));
}

TEST(PaintAnnotations, MaskOfAnotherSize_ThrowsNamingIt) {
  const tests::TemporaryFolder folder;
  tests::write_grey(folder / "m.png", 2, 2, 255);
  AnnotatedImage image{.document = "case"};
  image.annotations.push_back({.name = "1", .entry = "masks/m.png", .mask = folder / "m.png"});
  const auto error = tests::thrown_error([&] { static_cast<void>(paint(image, {2, 3})); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("case: masks/m.png has 2x2 pixels"));
}

}  // namespace
}  // namespace headroom::formats
