#pragma once
// Which DICOM files are the slices of one volume, and in which order they lie. Any thread.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/dicom_header.hpp"
#include "core/formats/volume_geometry.hpp"

namespace headroom::formats {

/// Slices of one orientation, size and spacing, evenly spaced; files, frames and positions have one
/// entry per slice.
struct DicomSeries {
  std::string uid{};                           ///< SeriesInstanceUID; empty where files have none
  std::string patient{};                       ///< PatientID; empty where files have none
  std::vector<std::filesystem::path> files{};  ///< by position along the slices' normal, ascending
  std::vector<std::int64_t> frames{};          ///< which frame of the file, from 0
  std::vector<double> positions{};             ///< mm along the normal
  VolumeGeometry geometry{};                   ///< i are columns, j rows, k slices
};

struct DicomSeriesList {
  std::vector<DicomSeries> series{};         ///< by uid
  std::vector<DicomHeader> segmentations{};  ///< DICOM SEG files, in their order
  std::vector<base::Finding> findings{};
};

/// Reads the headers. The position is ImagePositionPatient along the cross product of the row and
/// column directions of ImageOrientationPatient (DICOM, part 3, C.7.6.2); file names and instance
/// numbers do not count. Slices of one series that differ in orientation, size or spacing become
/// several, with a warning. A series with two pictures at one position, or with a gap, is left out
/// with an error; a copy of a slice, a picture without a position and a file without a picture are
/// warnings and left out. Paths stay relative to `root`. Throws Error (interrupted) on stop.
[[nodiscard]] DicomSeriesList find_dicom_series(const std::filesystem::path& root,
                                                const std::vector<std::filesystem::path>& files,
                                                const std::stop_token& stop = {});

}  // namespace headroom::formats
