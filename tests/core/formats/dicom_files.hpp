// DICOM files for tests, put together by hand (DICOM, parts 5 and 10): explicit VR, little endian.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::tests {

struct DicomSpec {
  std::uint16_t rows = 1;
  std::uint16_t columns = 1;
  std::uint16_t samples = 1;
  std::uint16_t planar = 0;
  std::uint16_t bits_allocated = 16;
  std::uint16_t bits_stored = 16;
  bool is_signed = false;
  std::string photometric = "MONOCHROME2";
  std::optional<std::string> slope{}, intercept{};
  std::string frames{};
  std::string series = "1.2.3";
  std::string instance = "1.2.3.4";
  std::string patient{};
  std::string position{};  ///< "x\\y\\z" in mm
  std::string orientation = "1\\0\\0\\0\\1\\0";
  std::string spacing{};  ///< "between rows\\between columns" in mm
  std::string storage{};  ///< SOP class; empty: MR, secondary capture for colours and frames
  std::string referenced_series{};
  std::string groups{};  ///< further elements of the groups 0x29 to 0x7fdf, ascending
};

/// `values` are the bytes of PixelData.
void write_dicom(const std::filesystem::path& file, const DicomSpec& spec, std::string values);

[[nodiscard]] std::string dicom_element(std::uint16_t group, std::uint16_t tag,
                                        const std::string& vr, const std::string& value);
/// `items` are the elements of each item.
[[nodiscard]] std::string dicom_sequence(std::uint16_t group, std::uint16_t tag,
                                         const std::vector<std::string>& items);

struct SegmentationFrame {
  std::uint16_t segment = 1;
  std::string position{};
};

struct SegmentationSpec {
  std::uint16_t rows = 1;
  std::uint16_t columns = 8;
  std::string spacing = "1\\1";
  std::string orientation = "1\\0\\0\\0\\1\\0";
  std::vector<std::string> labels = {"Liver"};  ///< of the segments 1, 2, …
  std::vector<SegmentationFrame> frames{};
  std::uint16_t most_fractional = 0;  ///< 0: BINARY, 1 bit; else FRACTIONAL, 8 bits
  std::string referenced_series{};
};

/// A DICOM SEG.
void write_segmentation(const std::filesystem::path& file, const SegmentationSpec& spec,
                        const std::string& values);

}  // namespace headroom::tests
