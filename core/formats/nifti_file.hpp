#pragma once
// NIfTI-1 and NIfTI-2 volumes (.nii, .nii.gz, .hdr with .img) through the NIfTI library. Pages are
// slices along a voxel axis, those of further dimensions (time) after one another; columns and rows
// are the other two axes in their stored order, not turned to patient directions. Values are scaled
// by scl_slope and scl_inter, as the standard asks.

#include <filesystem>
#include <memory>

#include "core/formats/raster_file.hpp"

namespace headroom::formats {

/// Throws Error (unusable_data) for damaged headers, complex and 128-bit values, and files whose
/// first two dimensions hold no picture (connectivity matrices).
[[nodiscard]] std::unique_ptr<RasterFile> open_nifti(const std::filesystem::path& file,
                                                     SliceAxis axis);

}  // namespace headroom::formats
