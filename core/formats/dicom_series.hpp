#pragma once
// Which DICOM files are the slices of one volume, and in which order they lie. Any thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/finding.hpp"

namespace headroom::formats {

struct DicomSeries {
  std::string uid{};                           ///< SeriesInstanceUID; empty where files have none
  std::vector<std::filesystem::path> files{};  ///< by position along the slices' normal, ascending
  std::vector<double> positions{};             ///< mm along the normal, one per file
};

struct DicomSeriesList {
  std::vector<DicomSeries> series{};  ///< by uid
  std::vector<base::Finding> findings{};
};

/// Reads the headers. The position is ImagePositionPatient along the cross product of the row and
/// column directions of ImageOrientationPatient (DICOM, part 3, C.7.6.2); file names and instance
/// numbers do not count. Files without these two tags, unreadable ones and two at one position are
/// findings; the latter stay, by name.
[[nodiscard]] DicomSeriesList find_dicom_series(const std::vector<std::filesystem::path>& files);

}  // namespace headroom::formats
