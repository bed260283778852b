#pragma once
// The files of a folder tree, by folder: images, or others. Runs on a job thread.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"

namespace headroom::formats {

struct ListedFolder {
  std::filesystem::path path{};                ///< relative to the root; empty for the root
  std::vector<std::filesystem::path> names{};  ///< of the files that were wanted, ascending
};

struct FolderListing {
  std::vector<ListedFolder> folders{};  ///< those with such files, by path, ascending
  std::vector<base::Finding> findings{};
};

/// Whether a file is one of those to be listed; the path is absolute.
using FileChoice = bool (*)(const std::filesystem::path& file);

/// Walks the tree. Names that begin with '.' and "__MACOSX" are passed over, symbolic links are
/// followed; a link to a folder above itself, a link to nothing and a folder that cannot be read
/// are findings. Throws Error: unusable_data when `root` is no folder, io when it cannot be read,
/// interrupted on stop.
[[nodiscard]] FolderListing list_files(const std::filesystem::path& root, FileChoice is_wanted,
                                       std::stop_token stop);
/// Those with a raster extension.
[[nodiscard]] FolderListing list_raster_files(const std::filesystem::path& root,
                                              std::stop_token stop);

}  // namespace headroom::formats
