#pragma once
// What the headers of DICOM files tell about their frames: which series they are of, where each
// lies, how its values are scaled, which segment it shows. Any thread.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/raster_file.hpp"
#include "core/formats/stored_values.hpp"

namespace headroom::formats {

/// A plane in the patient (DICOM, part 3, C.7.6.2): mm to the left, back and head.
struct DicomPlane {
  std::array<double, 3> position{};  ///< of the first pixel's centre
  std::array<double, 3> along_row{}, along_column{};
  double column_spacing = 1, row_spacing = 1;  ///< mm between columns, between rows
  double thickness = 1;
};

/// Steps of columns, rows and slices, the latter by `slice_step` (in the plane's coordinates), in
/// VolumeGeometry's coordinates.
[[nodiscard]] VoxelAffine affine_of(const DicomPlane& plane,
                                    const std::array<double, 3>& slice_step);
/// Of length 1.
[[nodiscard]] std::array<double, 3> normal_of(const DicomPlane& plane);

struct DicomFrame {
  std::optional<DicomPlane> plane{};
  std::optional<ValueScaling> scaling{};  ///< its own, else the file's
  std::int64_t segment = 0;               ///< number, in segmentations
};

struct DicomSegment {
  std::int64_t number = 0;
  std::string label{};  ///< valid UTF-8; "segment 3" where there is none
};

enum class DicomKind { image, segmentation, no_pixels };

struct DicomHeader {
  std::filesystem::path file{};
  DicomKind kind = DicomKind::no_pixels;
  std::string patient{};   ///< PatientID; empty where there is none
  std::string series{};    ///< SeriesInstanceUID; empty where there is none
  std::string instance{};  ///< SOPInstanceUID
  std::int64_t height = 0, width = 0;
  std::int64_t frame_count = 1;
  std::vector<DicomFrame> frames{};  ///< one for a single frame; what the header describes of many

  // Of segmentations (DICOM, part 3, C.8.20).
  std::string segmentation_type{};  ///< "BINARY", "FRACTIONAL", …
  std::int64_t most_fractional = 0;
  std::string segmented_series{};  ///< the SeriesInstanceUID that it says it is of
  std::vector<DicomSegment> segments{};
};

/// Nothing where it is no DICOM file. Pixels are not read.
[[nodiscard]] std::optional<DicomHeader> read_dicom_header(const std::filesystem::path& file);

}  // namespace headroom::formats
