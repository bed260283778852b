// How far apart the looks of public images are, and how near those of their copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "core/data/split.hpp"
#include "core/formats/leak_check.hpp"
#include "core/formats/raster_reader.hpp"
#include "tests/core/formats/picture_copies.hpp"
#include "tests/core/formats/raster_files.hpp"

namespace headroom::formats {
namespace {

/// The fewest bits in which two pictures of a data set differ.
int fewest_bits(const Dataset& dataset) {
  int fewest = 64;
  for (std::size_t a = 0; a < dataset.traits.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      fewest = std::min(fewest, std::popcount(dataset.traits[a].picture.look.value() ^
                                              dataset.traits[b].picture.look.value()));
    }
  }
  return fewest;
}

/// The most bits in which a copy of the picture differs from it.
int most_bits_of_copies(const std::filesystem::path& file) {
  const base::Image image = read_image(file);
  const std::uint64_t look = digest_picture(image).look.value();
  int most = 0;
  for (const base::Image& copy : {tests::recoded_as_jpeg(image, 50), tests::brightened(image, 0.7),
                                  tests::halved(image), tests::cropped(image, 0.01)})
    most = std::max(most, std::popcount(look ^ digest_picture(copy).look.value()));
  return most;
}

TEST(RealLeaks, AerialTiles_AreNoDuplicatesAndTheirCopiesAre) {
  GET_REAL_DATA_OR_SKIP(folder, "aerial_dubai");
  GET_REAL_DATA_OR_SKIP(lists, "splits/aerial_dubai.json");
  const Dataset dataset = scan_dataset({.folder = *folder, .mapping_file = *lists});
  EXPECT_GT(fewest_bits(dataset), kNearDuplicateBits + 2);
  EXPECT_THAT(
      find_leaks(dataset, data::make_split(dataset.samples, {.from = lists->string()}).split),
      testing::IsEmpty());
  for (const std::size_t index : {0U, 9U, 18U})
    EXPECT_LE(most_bits_of_copies(dataset.samples.at(index).image), kNearDuplicateBits);
}

TEST(RealLeaks, NeighbouringSlices_AreNoDuplicatesAndTheirCopiesAre) {
  GET_REAL_DATA_OR_SKIP(folder, "medical_isbi2012_em");
  const Dataset dataset = scan_dataset({.folder = *folder});
  EXPECT_GT(fewest_bits(dataset), kNearDuplicateBits);
  EXPECT_THAT(find_leaks(dataset, data::make_split(dataset.samples, {}).split), testing::IsEmpty());
  for (std::size_t index = 0; index < 30; index += 6)
    EXPECT_LE(most_bits_of_copies(dataset.samples.at(index).image), kNearDuplicateBits);
}

TEST(RealLeaks, Nuclei_AreNoDuplicates) {
  GET_REAL_DATA_OR_SKIP(folder, "nuclei_dsb2018");
  EXPECT_GT(fewest_bits(scan_dataset({.folder = *folder})), kNearDuplicateBits + 2);
}

TEST(RealLeaks, Retinas_AreNoDuplicates) {
  GET_REAL_DATA_OR_SKIP(folder, "medical_hrf_av");
  EXPECT_GT(fewest_bits(scan_dataset({.folder = *folder})), kNearDuplicateBits);
}

}  // namespace
}  // namespace headroom::formats
