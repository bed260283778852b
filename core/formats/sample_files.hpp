#pragma once
// Which files of a data folder make samples: by the layout of its names, by annotations, or by
// where volumes lie. Headers and documents are read, pixels are not. Job thread.

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/annotation_set.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/scan.hpp"
#include "core/formats/volume_reader.hpp"

namespace headroom::formats {

struct SampleFiles {
  std::string layout{};           ///< of layout_names(), without "auto"
  std::vector<FilePair> pairs{};  ///< one per sample, by image, ascending
  std::vector<base::Finding> findings{};
  std::vector<std::filesystem::path> unlabelled{};  ///< images that are no samples
  std::optional<MaskMeaning> meaning{};
  std::optional<ListedImages> listed{};
  std::shared_ptr<const AnnotationSet> annotations{};  ///< null: masks are rasters
  std::shared_ptr<const VolumeReader> volumes{};       ///< of the pairs that are slices; null: none
};

/// Throws Error: unusable_data and interrupted as scan_dataset does.
[[nodiscard]] SampleFiles find_sample_files(const std::filesystem::path& root,
                                            const ScanOptions& options,
                                            const std::stop_token& stop);

}  // namespace headroom::formats
