// Public images with masks; what is expected stands in their SOURCE.txt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>

#include "core/base/error.hpp"
#include "core/data/split.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> codes_of(const Dataset& dataset) {
  std::vector<std::string> codes;
  for (const auto& finding : dataset.summary.findings) codes.push_back(finding.code);
  return codes;
}

std::int64_t all_pixels(const Dataset& dataset) {
  std::int64_t total = 0;
  for (const auto& sample : dataset.samples) total += sample.height * sample.width;
  return total;
}

double percent(std::int64_t pixels, const Dataset& dataset) {
  return 100.0 * static_cast<double>(pixels) / static_cast<double>(all_pixels(dataset));
}

/// By class id, without regard to the field of view: the source counts whole images.
std::vector<std::int64_t> pixels_of_whole_masks(const Dataset& dataset) {
  std::vector<std::int64_t> pixels(256);
  for (const auto& sample : dataset.samples) {
    for (const std::uint8_t label : read_mask(sample.mask, dataset.mapping).labels) ++pixels[label];
  }
  return pixels;
}

TEST(AerialDubai, GivenMapping_GivesTheSharesOfItsSource) {
  GET_REAL_DATA_OR_SKIP(folder, "aerial_dubai");
  GET_REAL_DATA_OR_SKIP(mapping, "splits/aerial_dubai.json");
  const Dataset dataset = scan_dataset({.folder = *folder, .mapping_file = *mapping});
  EXPECT_EQ(dataset.summary.layout, "tiles");
  EXPECT_EQ(dataset.summary.samples, 72);
  EXPECT_EQ(dataset.summary.channels, 3);
  EXPECT_EQ(dataset.summary.max_height, 2062);
  EXPECT_EQ(dataset.summary.min_width, 509);
  const std::vector<std::pair<const char*, double>> expected = {
      {"building", 13.3}, {"land", 52.4}, {"road", 9.4}, {"vegetation", 10.3}, {"water", 13.6}};
  ASSERT_EQ(dataset.summary.classes.size(), expected.size());
  for (std::size_t id = 0; id < expected.size(); ++id) {
    EXPECT_EQ(dataset.summary.classes[id].name, expected[id].first);
    EXPECT_NEAR(percent(dataset.summary.classes[id].pixels, dataset), expected[id].second, 0.051);
  }
  EXPECT_NEAR(percent(dataset.summary.ignored_pixels, dataset), 0.5 + 0.56, 0.06);
  EXPECT_THAT(dataset.summary.findings, testing::IsEmpty());

  const data::SplitResult split = data::make_split(dataset.samples, {.from = mapping->string()});
  EXPECT_EQ(split.split.train.size(), 58U);
  EXPECT_EQ(split.split.validation.size(), 14U);
  EXPECT_THAT(split.findings, testing::IsEmpty());
}

TEST(AerialDubai, ProposedMapping_IsByColourThroughAllPalettes) {
  GET_REAL_DATA_OR_SKIP(folder, "aerial_dubai");
  const Dataset dataset = scan_dataset({.folder = *folder});
  std::vector<std::string> colours;
  for (const auto& entry : dataset.summary.classes)
    colours.insert(colours.end(), entry.source_values.begin(), entry.source_values.end());
  EXPECT_THAT(colours, ElementsAre("#000000", "#3C1098", "#6EC1E4", "#8429F6", "#9B9B9B", "#E2A929",
                                   "#FEDD3A"));
  EXPECT_EQ(dataset.summary.classes[0].images, 9);
}

TEST(AerialDubai, PaletteMasksOfTilesTwoAndFour_AreMappedByColour) {
  GET_REAL_DATA_OR_SKIP(folder, "aerial_dubai");
  const base::ClassMapping water_only{.ids = {{{true, 0xE2A929}, 1}}, .other = 0};
  for (const char* tile : {"Tile 2", "Tile 4"}) {
    for (int part = 1; part <= 9; ++part) {
      const auto file =
          *folder / tile / "masks" / ("image_part_00" + std::to_string(part) + ".png");
      const RasterPixels raster = read_raster(file);
      ASSERT_EQ(raster.info.kind, RasterKind::palette) << file;
      const base::LabelImage labels = read_mask(file, water_only);
      for (std::size_t i = 0; i < labels.labels.size(); ++i) {
        const bool is_water =
            raster.info.palette.at(static_cast<std::size_t>(raster.image.pixels[i])) == 0xE2A929;
        ASSERT_EQ(labels.labels[i], is_water ? 1 : 0) << file << " pixel " << i;
      }
    }
  }
}

TEST(MedicalHrf, Scan_PairsBySuffixAndIgnoresOutsideTheFieldOfView) {
  GET_REAL_DATA_OR_SKIP(folder, "medical_hrf_av");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.samples, 15);
  EXPECT_EQ(dataset.summary.max_width, 3504);
  EXPECT_EQ(dataset.summary.max_height, 2336);
  EXPECT_EQ(dataset.samples[0].id, "training/images/01_dr.JPG");
  EXPECT_EQ(dataset.samples[0].mask.filename(), "01_dr_AVmanual.png");
  for (const auto& sample : dataset.samples) EXPECT_TRUE(sample.valid_area);
  ASSERT_EQ(dataset.summary.classes.size(), 4U);
  const std::vector<std::int64_t> pixels = pixels_of_whole_masks(dataset);
  // As Pillow counts them; the source's shares are of more images than these.
  EXPECT_THAT(std::vector(pixels.begin(), pixels.begin() + 4),
              ElementsAre(113666996, 3989382, 4735873, 387909));
  // Inside the field of view there is less background and no more of the others.
  for (std::size_t id = 0; id < 4; ++id) EXPECT_LE(dataset.summary.classes[id].pixels, pixels[id]);
  const std::int64_t learned = std::transform_reduce(
      dataset.summary.classes.begin(), dataset.summary.classes.end(), std::int64_t{0},
      std::plus<>(), [](const auto& entry) { return entry.pixels; });
  EXPECT_EQ(learned + dataset.summary.ignored_pixels, all_pixels(dataset));
  EXPECT_NEAR(percent(dataset.summary.ignored_pixels, dataset), 15.5, 1.0);
  ASSERT_EQ(dataset.summary.findings.size(), 1U);
  EXPECT_EQ(dataset.summary.findings[0].code, "field-of-view");
  EXPECT_EQ(dataset.summary.findings[0].severity, base::Severity::info);
  EXPECT_THAT(dataset.summary.findings[0].file, testing::HasSubstr("fov_mask"));
  EXPECT_THAT(dataset.summary.findings[0].message, testing::HasSubstr("15 of 15"));
}

TEST(MedicalHrf, Reader_IgnoresExactlyWhereTheFieldOfViewIsBlack) {
  GET_REAL_DATA_OR_SKIP(folder, "medical_hrf_av");
  Dataset dataset = scan_dataset({.folder = *folder});
  const data::Sample& sample = dataset.samples.at(3);
  const auto decoded = make_sample_reader(dataset)->read(sample);
  const base::Image area = read_image(*sample.valid_area);
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < decoded.labels.labels.size(); ++i) {
    const bool is_black = area.pixels[3 * i] == std::byte{0};
    differing += is_black == (decoded.labels.labels[i] == base::kIgnoreLabel) ? 0 : 1;
  }
  EXPECT_EQ(differing, 0);
}

TEST(MedicalIsbi, Scan_TakesTrainAndListsTestAsUnlabelled) {
  GET_REAL_DATA_OR_SKIP(folder, "medical_isbi2012_em");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.samples, 30);
  EXPECT_EQ(dataset.summary.channels, 1);
  EXPECT_EQ(dataset.unlabelled.size(), 5U);
  EXPECT_THAT(codes_of(dataset), ElementsAre("unlabelled-images"));
  EXPECT_THAT(dataset.summary.classes.at(0).source_values, ElementsAre("0"));
  EXPECT_THAT(dataset.summary.classes.at(1).source_values, ElementsAre("255"));
  EXPECT_EQ(dataset.summary.classes[0].pixels + dataset.summary.classes[1].pixels, 30 * 512 * 512);
}

TEST(Nuclei, Scan_TakesTheBinaryMasksAndSaysSo) {
  GET_REAL_DATA_OR_SKIP(folder, "nuclei_dsb2018");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.samples, 31);
  EXPECT_EQ(dataset.summary.channels, 3);
  EXPECT_THAT(codes_of(dataset), ElementsAre("mask-folder-chosen", "alpha-dropped"));
  EXPECT_THAT(
      dataset.summary.findings[0].message,
      testing::AllOf(HasSubstr("'masks_binary' is used"), HasSubstr("labels_instance_u16")));
  for (const auto& sample : dataset.samples)
    EXPECT_EQ(sample.mask.parent_path().filename(), "masks_binary");
  EXPECT_EQ(make_sample_reader(dataset)->read(dataset.samples[0]).image.channels, 3);
}

TEST(Microscopy, Scan_PairsByTheBeginningAndTakesEveryPage) {
  GET_REAL_DATA_OR_SKIP(folder, "microscopy_16bit");
  const tests::TemporaryFolder work;
  tests::write_text(
      work / "objects.json",
      R"({"0": {"class": 0, "name": "background"}, "other": {"class": 1, "name": "cell"}})");
  const Dataset dataset = scan_dataset({.folder = *folder, .mapping_file = work / "objects.json"});
  EXPECT_EQ(dataset.summary.samples, 32);
  EXPECT_EQ(dataset.summary.type, base::PixelType::u16);
  EXPECT_EQ(dataset.samples[0].mask.filename(), "mask2d.tif");
  EXPECT_EQ(dataset.samples[31].id, "img3d.tif#31");
  // As tifffile counts the zeros of both masks.
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 276237);
  EXPECT_EQ(dataset.summary.classes.at(1).pixels,
            512 * 512 + 31 * 57 * 61 - dataset.summary.classes[0].pixels);
}

TEST(LabelFormats, VocFolder_HasTheClassesOfItsList) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/voc_palette_png");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "voc");
  EXPECT_EQ(dataset.summary.samples, 3);
  EXPECT_EQ(dataset.summary.max_width, 500);
  ASSERT_EQ(dataset.summary.classes.size(), 21U);
  EXPECT_EQ(dataset.summary.classes[20].name, "tv/monitor");
  std::map<std::string, std::int64_t> seen;
  for (const auto& entry : dataset.summary.classes) {
    if (entry.pixels > 0) seen[entry.source_values.at(0) + " " + entry.name] = entry.pixels;
  }
  // As Pillow counts the indices.
  EXPECT_EQ(seen, (std::map<std::string, std::int64_t>{{"0 _background_", 281281},
                                                       {"5 bottle", 873},
                                                       {"6 bus", 118222},
                                                       {"7 car", 7256},
                                                       {"9 chair", 44306},
                                                       {"15 person", 67691},
                                                       {"18 sofa", 14002}}));
  EXPECT_EQ(dataset.summary.ignored_pixels, 10369);
  EXPECT_THAT(codes_of(dataset), ElementsAre("other-files", "other-files", "classes-from-layout",
                                             "class-without-pixels"));
}

TEST(LabelFormats, CityscapesFolder_TakesTheLabelIds) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/cityscapes_ids");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "cityscapes");
  ASSERT_EQ(dataset.summary.samples, 1);
  EXPECT_EQ(dataset.summary.max_width, 256);
  EXPECT_EQ(dataset.samples[0].mask.filename(), "frankfurt_000000_000294_gtFine_labelIds.png");
  ASSERT_EQ(dataset.summary.classes.size(), 19U);
  // As Pillow counts the ids 7, 8, 11, 12, 13, 17, 19 … 26 and the others.
  std::vector<std::int64_t> pixels;
  for (std::size_t id = 0; id < 14; ++id) pixels.push_back(dataset.summary.classes[id].pixels);
  EXPECT_THAT(pixels,
              ElementsAre(9740, 2628, 12744, 0, 44, 396, 0, 188, 664, 0, 581, 107, 0, 1802));
  EXPECT_EQ(dataset.summary.ignored_pixels, 1890 + 987 + 764 + 233);
}

TEST(LabelFormats, ImageAndColourAnnotation_ArePairedBySuffix) {
  GET_REAL_DATA_OR_SKIP(folder, "label_formats/yaml_polygons");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_EQ(dataset.summary.layout, "suffix-pairs");
  ASSERT_EQ(dataset.summary.samples, 1);
  EXPECT_EQ(dataset.summary.max_width, 1296);
  EXPECT_EQ(dataset.summary.max_height, 966);
  EXPECT_EQ(dataset.samples[0].mask.filename(), "003_annotation.png");
  // As Pillow counts the colours.
  ASSERT_EQ(dataset.summary.classes.size(), 3U);
  EXPECT_THAT(dataset.summary.classes[0].source_values, ElementsAre("#000000"));
  EXPECT_EQ(dataset.summary.classes[0].pixels, 1153782);
  EXPECT_THAT(dataset.summary.classes[1].source_values, ElementsAre("#00FF00"));
  EXPECT_EQ(dataset.summary.classes[1].pixels, 25032);
  EXPECT_EQ(dataset.summary.classes[2].pixels, 73122);
}

}  // namespace
}  // namespace headroom::formats
