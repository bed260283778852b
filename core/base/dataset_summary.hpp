#pragma once
// What a scan of a data folder understood, as `check --json`, run.json and the dashboard show it. A
// value.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/finding.hpp"
#include "core/base/image.hpp"

namespace headroom::base {

struct ClassSummary {
  std::int64_t id = 0;
  std::string name{};
  std::vector<std::string> source_values{};  ///< mask values or colours, as text
  std::int64_t pixels = 0;
  std::int64_t images = 0;
};

/// One mask value or colour, as all masks hold it.
struct MaskKeySummary {
  MaskKey key{};
  std::int64_t pixels = 0;  ///< inside the valid areas
  std::int64_t images = 0;  ///< masks that hold it
};

struct DatasetSummary {
  std::string root{};    ///< absolute path of the folder
  std::string layout{};  ///< "images-masks", "tiles", "suffix-pairs", …
  std::int64_t samples = 0;
  std::int64_t channels = 0;
  PixelType type = PixelType::u8;
  std::int64_t min_height = 0, min_width = 0, max_height = 0, max_width = 0;
  std::vector<MaskKeySummary> mask_keys{};  ///< ascending; those that are ignored, too
  std::vector<ClassSummary> classes{};
  std::int64_t ignored_pixels = 0;
  std::string
      fingerprint{};  ///< hash over relative paths, sizes and contents of all files of the samples
  std::vector<Finding> findings{};
};

}  // namespace headroom::base
