#pragma once
// Image and mask folders beside each other, anywhere in a tree, paired by names. Pure; any thread.

#include <filesystem>
#include <vector>

#include "core/formats/folder_listing.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

/// Groups may be empty, or without a pair.
[[nodiscard]] Layout pair_by_folders(const FolderListing& listing);

[[nodiscard]] bool has_pair(const PairingGroup& group);
[[nodiscard]] bool has_pair(const Layout& layout);

/// Adds images that have no masks beside them, with a finding that counts them.
void leave_unlabelled(Layout& layout, const std::filesystem::path& folder,
                      const std::vector<std::filesystem::path>& files);
void leave_unlabelled(Layout& layout, const ListedFolder& folder);

}  // namespace headroom::formats
