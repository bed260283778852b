#pragma once
// A split that files list: JSON, or text files as PASCAL VOC has them. Any thread.

#include <filesystem>
#include <vector>

#include "core/base/finding.hpp"
#include "core/data/sample.hpp"

namespace headroom::data {

struct SplitResult {
  Split split{};  ///< indices ascending on each side
  std::vector<base::Finding> findings{};
};

/// Reads `lists`: a JSON file with the lists "train" and "val", or a folder that holds train.txt
/// and val.txt (or valid.txt, validation.txt) with an entry a line. An entry names a sample by its
/// id, with or without extension, or by its file name or stem where that names one file only;
/// without
/// "#3" behind it means all pages of a file. Of a line with several words the first one may be
/// meant (image and mask). Samples in neither list are left out, with an info finding. Throws Error
/// (usage): no such lists, an entry that names no sample, several, or one that is listed already
/// (each named), an empty list.
[[nodiscard]] SplitResult split_by_lists(const std::vector<Sample>& samples,
                                         const std::filesystem::path& lists);

}  // namespace headroom::data
