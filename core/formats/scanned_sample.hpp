#pragma once
// What one pair of files holds, read once. Any thread; different pairs at once.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/base/image.hpp"
#include "core/formats/annotation_set.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/mask_census.hpp"
#include "core/formats/picture_digest.hpp"
#include "core/formats/raster_file.hpp"
#include "core/formats/raster_parts.hpp"

namespace headroom::formats {

enum class AlphaContent { none, constant, varying };

struct ScannedSample {
  FilePair files{};
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  ///< without an alpha band
  base::PixelType type = base::PixelType::u8;
  base::BlockSize block{};  ///< of image, mask and valid area together; see reading_block
  AlphaContent alpha = AlphaContent::none;
  std::int64_t alpha_bands = 0;  ///< one for each file that has one
  PictureDigest picture{};
  std::optional<GeoReference> geo{};
  std::string patient{}, series{};  ///< as data::Sample has them
  MaskCensus census{};
  std::vector<FileDigest> digests{};
  std::vector<base::Finding> findings{};  ///< with an error among them the sample cannot be used

  [[nodiscard]] bool is_usable() const;
};

/// What the samples of a scan share.
struct ScanContext {
  const AnnotationSet* annotations = nullptr;  ///< as read_label_pixels takes them
  PartFunction after_part{};                   ///< of files that are read by parts; not empty
};

/// Reads images, mask and valid area once, large ones part by part. What is wrong with them is a
/// finding; what `after_part` throws is not caught where it is an Error (interrupted). The digests
/// of annotations are not among the sample's.
[[nodiscard]] ScannedSample scan_sample(const std::filesystem::path& root, const FilePair& files,
                                        const ScanContext& context);

}  // namespace headroom::formats
