#pragma once
// Whose picture a DICOM file holds, and of which series. Any thread.

#include <filesystem>
#include <string>

namespace headroom::formats {

struct DicomOrigin {
  std::string patient{};  ///< PatientID (0010,0020); empty where the file has none
  std::string series{};   ///< SeriesInstanceUID (0020,000e); empty where the file has none
};

/// Reads the header. Both are empty where the file cannot be read.
[[nodiscard]] DicomOrigin read_dicom_origin(const std::filesystem::path& file);

}  // namespace headroom::formats
