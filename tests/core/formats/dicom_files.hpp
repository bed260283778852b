// DICOM files for tests, put together by hand (DICOM, parts 5 and 10): explicit VR, little endian.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
  std::string patient{};
  std::string position{};  ///< "x\\y\\z" in mm
  std::string orientation = "1\\0\\0\\0\\1\\0";
};

/// `values` are the bytes of PixelData.
void write_dicom(const std::filesystem::path& file, const DicomSpec& spec, std::string values);

}  // namespace headroom::tests
