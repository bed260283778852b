#include "core/formats/voxel_volume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/core/formats/image_values.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using tests::values_in;

/// The value at i, j, k is 100 k + 10 j + i.
VoxelVolume volume(const VoxelCounts& sizes) {
  VoxelVolume volume{.sizes = sizes, .type = base::PixelType::i16};
  std::vector<std::int16_t> values;
  for (std::int64_t k = 0; k < sizes[2]; ++k) {
    for (std::int64_t j = 0; j < sizes[1]; ++j) {
      for (std::int64_t i = 0; i < sizes[0]; ++i)
        values.push_back(static_cast<std::int16_t>(100 * k + 10 * j + i));
    }
  }
  volume.values.resize(values.size() * sizeof(std::int16_t));
  std::memcpy(volume.values.data(), values.data(), volume.values.size());
  return volume;
}

TEST(SliceOf, EachAxis_HasTheOtherTwoAsColumnsAndRows) {
  const VoxelVolume cube = volume({2, 3, 4});
  const base::Image along_k = slice_of(cube, SliceAxis::k, 3);
  EXPECT_EQ(along_k.width, 2);
  EXPECT_EQ(along_k.height, 3);
  EXPECT_THAT(values_in(along_k), ElementsAre(300, 301, 310, 311, 320, 321));
  EXPECT_THAT(values_in(slice_of(cube, SliceAxis::j, 1)),
              ElementsAre(10, 11, 110, 111, 210, 211, 310, 311));
  EXPECT_THAT(values_in(slice_of(cube, SliceAxis::i, 1)),
              ElementsAre(1, 11, 21, 101, 111, 121, 201, 211, 221, 301, 311, 321));
}

TEST(Reordered, ExchangedAndReversedAxes_GiveTheGridsOwnOrder) {
  // The grid's i runs against their k, its j along their i, its k along their j.
  const VoxelVolume result =
      reordered(volume({3, 4, 2}), {.axis = {2, 0, 1}, .is_reversed = {true, false, false}});
  EXPECT_THAT(result.sizes, ElementsAre(2, 3, 4));
  std::vector<double> expected;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) expected.push_back(100 * (1 - i) + 10 * k + j);
    }
  }
  std::vector<double> values;
  for (std::int64_t k = 0; k < 4; ++k) {
    for (const double value : values_in(slice_of(result, SliceAxis::k, k))) values.push_back(value);
  }
  EXPECT_THAT(values, ElementsAreArray(expected));
}

TEST(Reordered, BandsOfAVoxel_StayTogether) {
  VoxelVolume pair{.sizes = {2, 1, 1},
                   .channels = 2,
                   .values = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}};
  const VoxelVolume result = reordered(pair, {.is_reversed = {true, false, false}});
  EXPECT_THAT(values_in(slice_of(result, SliceAxis::k, 0)), ElementsAre(3, 4, 1, 2));
}

}  // namespace
}  // namespace headroom::formats
