#pragma once
// What one pair of files holds, read once. Any thread; different pairs at once.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/base/image.hpp"
#include "core/formats/dicom_origin.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/mask_census.hpp"
#include "core/formats/picture_digest.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

enum class AlphaContent { none, constant, varying };

struct ScannedSample {
  FilePair files{};
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  ///< without an alpha band
  base::PixelType type = base::PixelType::u8;
  AlphaContent alpha = AlphaContent::none;
  PictureDigest picture{};
  std::optional<GeoReference> geo{};
  DicomOrigin origin{};
  MaskCensus census{};
  std::vector<FileDigest> digests{};
  std::vector<base::Finding> findings{};  ///< with an error among them the sample cannot be used

  [[nodiscard]] bool is_usable() const;
};

/// Reads image, mask and valid area whole. What is wrong with them is a finding, not an exception.
[[nodiscard]] ScannedSample scan_sample(const std::filesystem::path& root, const FilePair& files);

}  // namespace headroom::formats
