#pragma once
// The image files of a folder tree, by folder. Runs on a job thread.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"

namespace headroom::formats {

struct ListedFolder {
  std::filesystem::path path{};                ///< relative to the root; empty for the root
  std::vector<std::filesystem::path> names{};  ///< of files with a raster extension, ascending
};

struct FolderListing {
  std::vector<ListedFolder> folders{};  ///< those with raster files, by path, ascending
  std::vector<base::Finding> findings{};
};

/// Walks the tree. Names that begin with '.' and "__MACOSX" are passed over, symbolic links are
/// followed; a link to a folder above itself, a link to nothing and a folder that cannot be read
/// are findings. Throws Error: unusable_data when `root` is no folder, io when it cannot be read,
/// interrupted on stop.
[[nodiscard]] FolderListing list_raster_files(const std::filesystem::path& root,
                                              std::stop_token stop);

}  // namespace headroom::formats
