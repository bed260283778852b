#include "core/formats/volume_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Axes to the right, front and head, 2 x 3 x 4 mm, the first voxel at (-10, -20, -30).
VolumeGeometry grid() {
  VolumeGeometry geometry{.sizes = {5, 6, 7}, .affine = VoxelAffine{}};
  (*geometry.affine)[0] = {2, 0, 0, -10};
  (*geometry.affine)[1] = {0, 3, 0, -20};
  (*geometry.affine)[2] = {0, 0, 4, -30};
  return geometry;
}

TEST(MatchGrids, EqualGridsAndRoundingNoise_MatchAsTheyAre) {
  VolumeGeometry other = grid();
  EXPECT_EQ(match_grids(grid(), other), AxisMap{});
  for (auto& row : *other.affine) {
    for (double& value : row) value += 1e-6;
  }
  EXPECT_EQ(match_grids(grid(), other), AxisMap{});
}

TEST(MatchGrids, ReversedAxes_AreFound) {
  VolumeGeometry other = grid();
  (*other.affine)[0] = {-2, 0, 0, -10 + 2 * 4};
  (*other.affine)[2] = {0, 0, -4, -30 + 4 * 6};
  const auto map = match_grids(grid(), other);
  ASSERT_TRUE(map);
  EXPECT_THAT(map->axis, ElementsAre(0, 1, 2));
  EXPECT_THAT(map->is_reversed, ElementsAre(true, false, true));
}

TEST(MatchGrids, ExchangedAxes_AreFound) {
  VolumeGeometry other{.sizes = {7, 5, 6}, .affine = VoxelAffine{}};
  (*other.affine)[0] = {0, 2, 0, -10};  // its j is our i
  (*other.affine)[1] = {0, 0, 3, -20};  // its k is our j
  (*other.affine)[2] = {4, 0, 0, -30};  // its i is our k
  const auto map = match_grids(grid(), other);
  ASSERT_TRUE(map);
  EXPECT_THAT(map->axis, ElementsAre(1, 2, 0));
  EXPECT_THAT(map->is_reversed, ElementsAre(false, false, false));
}

TEST(MatchGrids, ShiftOtherSpacingOtherSizeAndTurn_AreRefused) {
  VolumeGeometry shifted = grid(), wider = grid(), larger = grid(), turned = grid();
  (*shifted.affine)[1][3] += 1.5;  // half a voxel
  (*wider.affine)[0][0] = 2.2;
  larger.sizes[2] = 8;
  (*turned.affine)[0][1] = 0.5;
  for (const VolumeGeometry& other : {shifted, wider, larger, turned})
    EXPECT_EQ(match_grids(grid(), other), std::nullopt) << describe(other);
}

TEST(MatchGrids, SingleSliceOfOtherThickness_Matches) {
  VolumeGeometry slice = grid(), thicker = grid();
  slice.sizes[2] = thicker.sizes[2] = 1;
  (*thicker.affine)[2][2] = 9;
  EXPECT_EQ(match_grids(slice, thicker), AxisMap{});
}

TEST(MatchGrids, WithoutDirections_SizesDecide) {
  VolumeGeometry other{.sizes = {5, 6, 7}};
  EXPECT_EQ(match_grids(grid(), other), AxisMap{});
  other.sizes[0] = 4;
  EXPECT_EQ(match_grids(grid(), other), std::nullopt);
}

TEST(MatchGrids, MatrixWithoutInverse_IsRefused) {
  VolumeGeometry flat = grid();
  (*flat.affine)[2] = {0, 0, 0, 0};
  EXPECT_EQ(match_grids(grid(), flat), std::nullopt);
}

TEST(DescribeGeometry, SizesSpacingAxesAndPlace_AreTold) {
  EXPECT_EQ(describe(grid()), "5x6x7 voxels of 2x3x4 mm, axes RAS, the first at (-10, -20, -30)");
  EXPECT_THAT(describe({.sizes = {5, 6, 7}}), HasSubstr("without directions"));
}

TEST(PlaceFrame, FrameOnVoxels_IsPlacedByIndices) {
  // Columns run against i from i = 4, rows along k from k = 2, at j = 1.
  VoxelAffine frame{};
  frame[0] = {-2, 0, 0, -10 + 2 * 4};
  frame[1] = {0, 0, 3, -20 + 3 * 1};
  frame[2] = {0, 4, 0, -30 + 4 * 2};
  const auto placement = place_frame(frame, 5, 3, grid());
  ASSERT_TRUE(placement);
  EXPECT_THAT(placement->first, ElementsAre(4, 1, 2));
  EXPECT_THAT(placement->column_step, ElementsAre(-1, 0, 0));
  EXPECT_THAT(placement->row_step, ElementsAre(0, 0, 1));
  EXPECT_FALSE(place_frame(frame, 6, 3, grid())) << "the last row lies beyond the grid";
  frame[0][3] += 1;
  EXPECT_FALSE(place_frame(frame, 5, 3, grid())) << "it lies between voxels";
}

TEST(AxialAxis, AxisAlongTheBody_IsTaken) {
  EXPECT_EQ(axial_axis(grid()), SliceAxis::k);
  EXPECT_EQ(axial_axis({.sizes = {5, 6, 7}}), SliceAxis::k);
  VolumeGeometry sagittal = grid();
  (*sagittal.affine)[0] = {0, 0, 2, 0};
  (*sagittal.affine)[1] = {3, 0, 0, 0};
  (*sagittal.affine)[2] = {0, -4, 0.1, 0};
  EXPECT_EQ(axial_axis(sagittal), SliceAxis::j);
}

}  // namespace
}  // namespace headroom::formats
