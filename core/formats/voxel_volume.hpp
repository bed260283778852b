#pragma once
// A decoded volume and its slices. Values; any thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/image.hpp"
#include "core/formats/volume_geometry.hpp"

namespace headroom::formats {

struct VoxelVolume {
  VoxelCounts sizes{};
  std::int64_t channels = 1;
  base::PixelType type = base::PixelType::u8;
  std::vector<std::byte> values{};  ///< [k, j, i, c]

  [[nodiscard]] std::int64_t byte_size() const { return static_cast<std::int64_t>(values.size()); }
};

/// The page-th slice along `axis`: its columns and rows are the other two axes, in this order. The
/// page is below slice_shape(…).pages.
[[nodiscard]] base::Image slice_of(const VoxelVolume& volume, SliceAxis axis, std::int64_t page);

/// The same voxels in the order of the grid that `map` (of match_grids) leads from.
[[nodiscard]] VoxelVolume reordered(VoxelVolume volume, const AxisMap& map);

}  // namespace headroom::formats
