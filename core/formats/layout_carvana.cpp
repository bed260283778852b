// Carvana and its like: a folder of images without a telling name, and one of masks beside it with
// the same name and a word for masks: train, train_masks.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/folder_tree.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

struct NamedFolder {
  fs::path path{};
  NamedRole named{};
};

/// Folders with files whose names say masks of what: "train_masks", not "masks".
std::vector<NamedFolder> mask_folders(const FolderListing& listing) {
  std::vector<NamedFolder> folders;
  for (const ListedFolder& listed : listing.folders) {
    NamedRole named = role_of_folder(listed.path.filename().string());
    if (named.role != FolderRole::masks || named.qualifiers.empty()) continue;
    folders.push_back({listed.path, std::move(named)});
  }
  return folders;
}

bool are_of(const NamedFolder& masks, const fs::path& images) {
  if (masks.path.parent_path() != images.parent_path()) return false;
  const NamedRole named = role_of_folder(images.filename().string());
  return named.role == FolderRole::none && named.qualifiers == masks.named.qualifiers;
}

}  // namespace

std::optional<Layout> recognise_carvana(const DataFolder& folder, Asked /*asked*/) {
  Layout layout{.name = "carvana"};
  std::vector<fs::path> used;
  const std::vector<NamedFolder> all_masks = mask_folders(folder.listing);
  for (const ListedFolder& images : folder.listing.folders) {
    PairingGroup group{.folder = images.path.parent_path()};
    for (const NamedFolder& masks : all_masks) {
      if (!are_of(masks, images.path)) continue;
      group.choices.push_back(pair_files(masks.path.filename().string(),
                                         {index_of(files_below(folder.listing, images.path)),
                                          index_of(files_below(folder.listing, masks.path)),
                                          {}}));
      used.insert(used.end(), {images.path, masks.path});
    }
    if (!group.choices.empty()) layout.groups.push_back(std::move(group));
  }
  if (!has_pair(layout)) return std::nullopt;
  for (const ListedFolder& other : folder.listing.folders) {
    const auto holds = [&](const fs::path& each) { return is_below(other.path, each); };
    if (std::ranges::none_of(used, holds)) leave_unlabelled(layout, other);
  }
  return layout;
}

}  // namespace headroom::formats
