// Public images with annotations. Pixel counts are from a Python script that tests each pixel's
// centre with the even-odd rule, run lengths from the masks that they were made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/formats/mask_reader.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"

namespace headroom::formats {
namespace {

using testing::Pair;
using testing::UnorderedElementsAre;

std::map<std::string, std::int64_t> pixels_by_name(const Dataset& dataset) {
  std::map<std::string, std::int64_t> pixels;
  for (const auto& entry : dataset.summary.classes) {
    if (entry.pixels > 0) pixels[entry.name] = entry.pixels;
  }
  return pixels;
}

TEST(RealAnnotations, Coco_HasThePixelsOfThePolygons) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/coco_json");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "coco");
  EXPECT_EQ(dataset.summary.samples, 3);
  // Categories 0 (_background_) to 20. No image of the SpaceNet files beside is there.
  EXPECT_EQ(dataset.summary.classes.size(), 21U);
  EXPECT_EQ(dataset.summary.classes.at(15).name, "person");
  EXPECT_THAT(pixels_by_name(dataset),
              UnorderedElementsAre(Pair("background", 293443), Pair("bottle", 815),
                                   Pair("person", 66810), Pair("bus", 117884), Pair("car", 7130),
                                   Pair("chair", 44204), Pair("sofa", 13714)));
}

TEST(RealAnnotations, Labelme_HasThePixelsOfThePolygons) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/labelme_json");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "labelme");
  EXPECT_EQ(dataset.summary.samples, 3);
  EXPECT_EQ(dataset.summary.ignored_pixels, 10146);
  EXPECT_THAT(pixels_by_name(dataset),
              UnorderedElementsAre(Pair("background", 283421), Pair("bottle", 815),
                                   Pair("person", 66782), Pair("bus", 117884), Pair("car", 7094),
                                   Pair("chair", 44144), Pair("sofa", 13714)));
}

TEST(RealAnnotations, RleCsv_GivesTheMasksThatItWasMadeOf) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/rle_csv");
  GET_REAL_DATA_OR_SKIP(masks, "nuclei_dsb2018/masks_binary");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "rle-csv");
  EXPECT_EQ(dataset.summary.samples, 9);
  EXPECT_EQ(dataset.mapping.class_names.size(), 2U);
  const auto reader = make_sample_reader(dataset);
  base::ClassMapping binary{.class_names = {"background", "object"}};
  binary.ids = {{{.value = 0}, 0}, {{.value = 255}, 1}};
  int compared = 0;
  for (const auto& sample : dataset.samples) {
    const std::filesystem::path mask = *masks / sample.image.filename();
    if (!std::filesystem::exists(mask)) continue;
    EXPECT_EQ(reader->read(sample).labels.labels, read_mask(mask, binary).labels) << sample.id;
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

}  // namespace
}  // namespace headroom::formats
