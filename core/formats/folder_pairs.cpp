#include "core/formats/folder_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"
#include "core/formats/split_side.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

/// A folder whose name gives everything below it one role.
struct RoleFolder {
  fs::path path{};
  NamedRole named{};
  StemIndex index{};
  std::vector<fs::path> files{};
};

/// The role folders of one parent.
struct Siblings {
  std::vector<RoleFolder> images{}, masks{}, areas{};
};

/// The topmost folder of `path` whose name has a role; the number of its components, 0 for none.
std::size_t role_depth(const fs::path& path) {
  std::size_t depth = 0;
  for (const fs::path& part : path) {
    ++depth;
    if (role_of_folder(part.string()).role != FolderRole::none) return depth;
  }
  return 0;
}

std::pair<fs::path, fs::path> cut(const fs::path& path, std::size_t depth) {
  fs::path above, below;
  for (const fs::path& part : path) {
    (depth > 0 ? above : below) /= part;
    if (depth > 0) --depth;
  }
  return {above, below};
}

/// Beside a folder of manual labels, "mask" is the field of view (DRIVE, HRF).
void find_areas_beside_manual_labels(Siblings& siblings) {
  const auto is_plain_mask = [](const RoleFolder& folder) {
    const std::string name = folder.path.filename().string();
    return name == "mask" || name == "masks" || name == "Mask" || name == "Masks";
  };
  const auto is_manual = [](const RoleFolder& folder) {
    return folder.path.filename().string().find("manual") != std::string::npos;
  };
  if (!std::ranges::any_of(siblings.masks, is_manual)) return;
  const auto plain = std::ranges::find_if(siblings.masks, is_plain_mask);
  if (plain == siblings.masks.end()) return;
  siblings.areas.push_back(std::move(*plain));
  siblings.masks.erase(plain);
}

struct SortedFolders {
  std::map<fs::path, Siblings> by_parent{};
  std::vector<ListedFolder> without_role{};
};

SortedFolders sort_folders(const FolderListing& listing) {
  SortedFolders sorted;
  std::map<fs::path, RoleFolder> role_folders;
  for (const ListedFolder& folder : listing.folders) {
    const std::size_t depth = role_depth(folder.path);
    if (depth == 0) {
      sorted.without_role.push_back(folder);
      continue;
    }
    const auto [root, below] = cut(folder.path, depth);
    RoleFolder& role_folder = role_folders[root];
    role_folder.path = root;
    role_folder.named = role_of_folder(root.filename().string());
    for (const fs::path& name : folder.names) {
      role_folder.index.add(below / name, folder.path / name);
      role_folder.files.push_back(folder.path / name);
    }
  }
  for (auto& [path, folder] : role_folders) {
    Siblings& siblings = sorted.by_parent[path.parent_path()];
    const FolderRole role = folder.named.role;
    auto& list = role == FolderRole::images  ? siblings.images
                 : role == FolderRole::masks ? siblings.masks
                                             : siblings.areas;
    list.push_back(std::move(folder));
  }
  for (auto& [parent, siblings] : sorted.by_parent) find_areas_beside_manual_labels(siblings);
  return sorted;
}

/// The partner folders of one image folder: those with the same other words ("train_images",
/// "train_masks"), or all of them where it is the only image folder.
std::vector<const RoleFolder*> partners(const RoleFolder& images,
                                        const std::vector<RoleFolder>& others, bool is_only) {
  std::vector<const RoleFolder*> same, all;
  for (const RoleFolder& other : others) {
    all.push_back(&other);
    if (other.named.qualifiers == images.named.qualifiers) same.push_back(&other);
  }
  return is_only ? all : same;
}

bool has_images(const RoleFolder& masks, const Siblings& siblings) {
  if (siblings.images.size() == 1) return true;
  return std::ranges::any_of(siblings.images, [&](const RoleFolder& images) {
    return images.named.qualifiers == masks.named.qualifiers;
  });
}

/// Whether the folders of all paired images are sides of a split, and not all of one side.
bool are_sides(const std::vector<PairingGroup>& groups) {
  std::set<data::SplitSide> sides;
  for (const PairingGroup& group : groups) {
    for (const MaskChoice& choice : group.choices) {
      for (const FilePair& pair : choice.pairs) sides.insert(side_of_path(pair.image));
    }
  }
  return sides.size() > 1 && !sides.contains(data::SplitSide::none);
}

std::string name_of(const std::vector<PairingGroup>& groups) {
  if (are_sides(groups)) return "split-folders";
  const bool are_together = std::ranges::all_of(
      groups, [&](const PairingGroup& group) { return group.folder == groups.front().folder; });
  return are_together ? "images-masks" : "tiles";
}

void add_group(Layout& layout, const fs::path& parent, const Siblings& siblings,
               const RoleFolder& images) {
  const bool is_only = siblings.images.size() == 1;
  const auto areas = partners(images, siblings.areas, is_only);
  PairingGroup group{.folder = parent};
  for (const RoleFolder* masks : partners(images, siblings.masks, is_only)) {
    group.choices.push_back(pair_files(
        masks->path.filename().string(),
        {images.index, masks->index, areas.empty() ? StemIndex{} : areas.front()->index}));
  }
  if (group.choices.empty()) {
    leave_unlabelled(layout, images.path, images.files);
  } else {
    layout.groups.push_back(std::move(group));
  }
}

}  // namespace

void leave_unlabelled(Layout& layout, const fs::path& folder, const std::vector<fs::path>& files) {
  layout.findings.push_back(
      {base::Severity::info, "unlabelled-images", base::display_path(folder),
       fmt::format(
           "{} images in this folder have no masks beside them and are not used for training",
           files.size())});
  layout.unlabelled.insert(layout.unlabelled.end(), files.begin(), files.end());
}

void leave_unlabelled(Layout& layout, const ListedFolder& folder) {
  std::vector<fs::path> files;
  for (const fs::path& name : folder.names) files.push_back(folder.path / name);
  leave_unlabelled(layout, folder.path, files);
}

Layout pair_by_folders(const FolderListing& listing) {
  Layout layout;
  const SortedFolders sorted = sort_folders(listing);
  for (const auto& [parent, siblings] : sorted.by_parent) {
    for (const RoleFolder& images : siblings.images) add_group(layout, parent, siblings, images);
    for (const RoleFolder& masks : siblings.masks) {
      if (has_images(masks, siblings)) continue;
      layout.findings.push_back({base::Severity::warning, "stray-masks",
                                 base::display_path(masks.path),
                                 "this folder of masks has no folder of images beside it"});
    }
  }
  for (const ListedFolder& folder : sorted.without_role) leave_unlabelled(layout, folder);
  layout.name = name_of(layout.groups);
  return layout;
}

bool has_pair(const PairingGroup& group) {
  return std::ranges::any_of(group.choices,
                             [](const MaskChoice& choice) { return !choice.pairs.empty(); });
}

bool has_pair(const Layout& layout) {
  return std::ranges::any_of(layout.groups,
                             [](const PairingGroup& group) { return has_pair(group); });
}

std::optional<Layout> recognise_folders(const DataFolder& folder, Asked /*asked*/) {
  Layout layout = pair_by_folders(folder.listing);
  if (!has_pair(layout)) return std::nullopt;
  return layout;
}

}  // namespace headroom::formats
