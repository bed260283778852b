#pragma once
// NIfTI-1 and NIfTI-2 volumes (.nii, .nii.gz, .hdr with .img) through the NIfTI library. Pages are
// slices along a voxel axis, those of further dimensions (time) after one another; columns and rows
// are the other two axes in their stored order, not turned to patient directions. Values are scaled
// by scl_slope and scl_inter, as the standard asks.

#include <filesystem>
#include <memory>

#include "core/formats/raster_file.hpp"
#include "core/formats/voxel_volume.hpp"

namespace headroom::formats {

/// Throws Error (unusable_data) for damaged headers, complex and 128-bit values, and files whose
/// first two dimensions hold no picture (connectivity matrices).
[[nodiscard]] std::unique_ptr<RasterFile> open_nifti(const std::filesystem::path& file,
                                                     SliceAxis axis);

struct NiftiShape {
  VolumeGeometry geometry{};   ///< of the first three dimensions
  std::int64_t further = 1;    ///< product of the other dimensions
  bool is_compressed = false;  ///< gzipped: a slice can only be had with all before it
};
/// The header alone. Throws as open_nifti.
[[nodiscard]] NiftiShape read_nifti_shape(const std::filesystem::path& file);

/// All voxels, decoded once; what further dimensions count (time, modality) become bands. Throws
/// Error (unusable_data) where it is damaged, does not fit into memory, or colours have further
/// dimensions.
[[nodiscard]] VoxelVolume read_nifti_volume(const std::filesystem::path& file);

}  // namespace headroom::formats
