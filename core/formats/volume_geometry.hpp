#pragma once
// Where the voxels of a volume lie, and how two grids of the same voxels fit together. Pure; any
// thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// Voxels along i, j and k.
using VoxelCounts = std::array<std::int64_t, 3>;

struct VolumeGeometry {
  VoxelCounts sizes{};
  /// To patient coordinates in mm: x to the right, y to the front, z to the head (NIfTI's). Nothing
  /// where the file tells no directions.
  std::optional<VoxelAffine> affine{};
};

/// "512x512x20 voxels of 0.977x0.977x2 mm, axes LPS, the first at (249.5, 437.5, -804.5)": for each
/// axis the patient direction it runs to: right or left, anterior or posterior, superior or
/// inferior.
[[nodiscard]] std::string describe(const VolumeGeometry& geometry);

/// How the voxels of one grid lie in another one that has the same voxels: whole axes exchanged or
/// reversed. Index n along `axis[a]` of the other grid is index n, or size - 1 - n, along a.
struct AxisMap {
  std::array<std::size_t, 3> axis = {0, 1, 2};
  std::array<bool, 3> is_reversed{};
  friend bool operator==(const AxisMap&, const AxisMap&) = default;
};

/// Nothing where the grids differ by more than a tenth of a voxel anywhere, or in their sizes.
/// Without directions in one of them, grids of equal sizes match as they are.
[[nodiscard]] std::optional<AxisMap> match_grids(const VolumeGeometry& grid,
                                                 const VolumeGeometry& other);

/// The voxel of the first pixel of a frame, and how far the next column and row are, in indices.
struct FramePlacement {
  VoxelCounts first{}, column_step{}, row_step{};
};

/// Where the height x width pixels of a frame lie in a grid: `frame`'s first two columns are the
/// steps of its columns and rows. Nothing where a pixel lies beside a voxel by more than a tenth or
/// outside the grid.
[[nodiscard]] std::optional<FramePlacement> place_frame(const VoxelAffine& frame,
                                                        std::int64_t height, std::int64_t width,
                                                        const VolumeGeometry& grid);

/// The axis closest to the patient's long axis, so that slices along it are axial; k without
/// directions.
[[nodiscard]] SliceAxis axial_axis(const VolumeGeometry& geometry);

/// Pages of a volume that is cut along an axis, and the size of each.
struct SliceShape {
  std::int64_t pages = 0, height = 0, width = 0;
};
[[nodiscard]] SliceShape slice_shape(const VoxelCounts& sizes, SliceAxis axis);

}  // namespace headroom::formats
