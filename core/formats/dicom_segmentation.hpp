#pragma once
// DICOM SEG: pictures of segments, laid into the grid of the volume that they belong to. Any
// thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/dicom_header.hpp"
#include "core/formats/voxel_volume.hpp"

namespace headroom::formats {

/// Adds the labels of segments to `names`, each once. Codes are indices into such a list, whose
/// first name is that of the background.
void add_segment_names(const DicomHeader& segmentation, std::vector<std::string>& names);

/// Where a frame lies, as a volume of one slice; without directions where it has no position.
[[nodiscard]] VolumeGeometry frame_geometry(const DicomHeader& segmentation, std::size_t frame);

/// Whether every frame lies on voxels of the grid.
[[nodiscard]] bool fits_grid(const DicomHeader& segmentation, const VolumeGeometry& grid);

struct SegmentedVolume {
  VoxelVolume codes{};  ///< u16, one channel, in the grid's order; 0 without a frame
  std::int64_t overlapping_voxels = 0;  ///< those of several segments; the last segment has them
};

/// Reads `file`, whose header `segmentation` is; `names` has all its labels. A fraction of at least
/// half the largest belongs to its segment. Throws Error (unusable_data): a frame without position,
/// outside the grid or between its voxels, with both geometries; fewer frames described than there
/// are; a segment that is not listed; another type than BINARY and FRACTIONAL.
[[nodiscard]] SegmentedVolume read_segmentation(const std::filesystem::path& file,
                                                const DicomHeader& segmentation,
                                                const VolumeGeometry& grid,
                                                const std::vector<std::string>& names);

}  // namespace headroom::formats
