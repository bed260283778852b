#pragma once
// Which of several mask folders beside one image folder is used. Runs on a job thread.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

/// Leaves one choice in each group: the mask folder with the most pairs, of those the one whose
/// first masks hold the fewest different values, of those the first by name. Folders of one name
/// are judged together. Says so in findings.
[[nodiscard]] std::vector<base::Finding> choose_mask_folders(const std::filesystem::path& root,
                                                             Layout& layout, std::stop_token stop);

}  // namespace headroom::formats
