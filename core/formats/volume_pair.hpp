#pragma once
// A volume, its labels, and how they are cut into slices. A value; paths are relative to the data
// folder.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/dicom_series.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/volume_geometry.hpp"

namespace headroom::formats {

/// A NIfTI file, or the slices of a DICOM series.
struct VolumeImage {
  std::filesystem::path path{};  ///< the file, or the folder of the series; "." for the data folder
  std::string name{};            ///< as it is shown; unique
  std::optional<DicomSeries> series{};
  VolumeGeometry geometry{};
  bool has_direct_slices = false;  ///< a slice along k can be read without the rest
};

/// A NIfTI file, or a DICOM SEG.
struct VolumeLabels {
  std::filesystem::path file{};
  std::optional<DicomHeader> segmentation{};
  VolumeGeometry geometry{};  ///< of a SEG its first frame's
  AxisMap from_image{};       ///< of NIfTI: from the image's grid
};

struct VolumePair {
  VolumeImage image{};
  VolumeLabels labels{};
  SliceAxis axis = SliceAxis::k;
};

/// All files, without repetition.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const VolumePair& pair);

/// Which axis counts the slices: `wanted`, else the axial one of NIfTI and k, as it was taken, of
/// DICOM.
[[nodiscard]] SliceAxis slice_axis_of(const VolumeImage& image, std::optional<SliceAxis> wanted);

/// One pair per slice, with the paths of the whole: `volume` is the pair's index in the data set's
/// volumes.
[[nodiscard]] std::vector<FilePair> slices_of(const VolumePair& pair, std::int64_t volume);

struct NamedVolumes {
  std::vector<VolumePair> volumes{};
  std::vector<FilePair> rest{};  ///< pairs that are no volumes, as given
  std::vector<base::Finding> findings{};
};

/// Of pairs that belong together by name: where both are NIfTI, and the labels have three
/// dimensions, their grids are compared. Labels whose axes are exchanged or reversed are put in
/// order when they are read; others are refused, with both grids. Throws Error (interrupted) on
/// stop.
[[nodiscard]] NamedVolumes take_named_volumes(const std::filesystem::path& root,
                                              std::vector<FilePair> pairs,
                                              std::optional<SliceAxis> wanted,
                                              const std::stop_token& stop);

/// Whether the extension is that of a NIfTI file.
[[nodiscard]] bool is_nifti_name(const std::filesystem::path& file);

}  // namespace headroom::formats
