#pragma once
// Questions about a listed folder tree. Pure; any thread.

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/formats/folder_listing.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

/// Folders of exactly this name that hold raster files, in them or below; ascending.
[[nodiscard]] std::vector<std::filesystem::path> folders_named(const FolderListing& listing,
                                                               std::string_view name);

[[nodiscard]] bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// A file and its path below the folder that holds its kind.
struct FileBelow {
  std::filesystem::path below{};
  std::filesystem::path file{};  ///< relative to the root
};

/// All files in `folder` and below, by folder and name.
[[nodiscard]] std::vector<FileBelow> files_below(const FolderListing& listing,
                                                 const std::filesystem::path& folder);

[[nodiscard]] StemIndex index_of(const std::vector<FileBelow>& files);

/// Adds a finding for each folder with files outside all of `used`: they have no part in the
/// layout.
void note_other_folders(Layout& layout, const FolderListing& listing,
                        const std::vector<std::filesystem::path>& used);

}  // namespace headroom::formats
