#include "core/formats/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

base::Finding warning(const char* code, const fs::path& file, std::string message) {
  return {base::Severity::warning, code, base::display_path(file), std::move(message)};
}

/// A folder whose name gives everything below it one role.
struct RoleFolder {
  fs::path path{};
  NamedRole named{};
  StemIndex index{};
  std::vector<fs::path> files{};
};

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

/// Pairs the files of an image folder with those of a mask folder.
class Pairing {
 public:
  explicit Pairing(MaskChoice& choice) : choice_(choice) {}

  void run(const StemIndex& images, const StemIndex& masks, const StemIndex& areas) {
    for (const auto& [key, files] : images.files()) {
      report_others(files, "duplicate-image", "has the name of another image");
      pair(key, files.front(), masks, areas);
    }
    report_unused(masks, used_masks_, "image-missing", "no image belongs to this mask");
    report_unused(areas, used_areas_, "image-missing", "no image belongs to this valid area");
  }

 private:
  void pair(const StemKey& key, const fs::path& image, const StemIndex& masks,
            const StemIndex& areas) {
    auto found = masks.find(key, mask_suffixes());
    if (found.empty()) {
      const StemKey shorter = without_suffix(key, image_suffixes());
      if (shorter != key) found = masks.find(shorter, mask_suffixes());
    }
    if (found.empty()) {
      choice_.findings.push_back(
          warning("mask-missing", image, "this image has no mask and is not used"));
      choice_.unlabelled.push_back(image);
      return;
    }
    used_masks_.insert(found.begin(), found.end());
    report_others(found, "duplicate-mask", "belongs to an image that has another mask");
    FilePair pair{image, found.front(), {}};
    const auto area = areas.find(key, area_suffixes());
    if (!area.empty()) {
      pair.valid_area = area.front();
      used_areas_.insert(area.begin(), area.end());
    } else if (!areas.empty()) {
      choice_.findings.push_back(warning("valid-area-missing", image,
                                         "this image has no valid-area file; all of it is used"));
    }
    choice_.pairs.push_back(std::move(pair));
  }

  void report_others(const std::vector<fs::path>& files, const char* code, const char* what) {
    for (std::size_t i = 1; i < files.size(); ++i) {
      choice_.findings.push_back(warning(
          code, files[i],
          fmt::format("this file {}, '{}', and is not used", what, base::display_path(files[0]))));
    }
  }

  void report_unused(const StemIndex& index, const std::set<fs::path>& used, const char* code,
                     const char* message) {
    for (const auto& [key, files] : index.files()) {
      for (const fs::path& file : files) {
        if (!used.contains(file)) choice_.findings.push_back(warning(code, file, message));
      }
    }
  }

  MaskChoice& choice_;
  std::set<fs::path> used_masks_, used_areas_;
};

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

std::string name_of_groups(const std::vector<PairingGroup>& groups) {
  if (groups.size() == 1) return "images-masks";
  const bool are_sides = std::ranges::all_of(groups, [](const PairingGroup& group) {
    return names_split_side(group.folder.filename().string());
  });
  return are_sides ? "split-folders" : "tiles";
}

bool has_pair(const PairingGroup& group) {
  return std::ranges::any_of(group.choices,
                             [](const MaskChoice& choice) { return !choice.pairs.empty(); });
}

void add_group(Layout& layout, const fs::path& parent, const Siblings& siblings,
               const RoleFolder& images) {
  const bool is_only = siblings.images.size() == 1;
  const auto areas = partners(images, siblings.areas, is_only);
  PairingGroup group{.folder = parent};
  for (const RoleFolder* masks : partners(images, siblings.masks, is_only)) {
    MaskChoice choice{.name = masks->path.filename().string()};
    Pairing(choice).run(images.index, masks->index,
                        areas.empty() ? StemIndex{} : areas.front()->index);
    group.choices.push_back(std::move(choice));
  }
  if (group.choices.empty()) {
    leave_unlabelled(layout, images.path, images.files);
  } else {
    layout.groups.push_back(std::move(group));
  }
}

/// Image and mask folders beside each other, anywhere in the tree.
Layout pair_by_folders(const FolderListing& listing) {
  Layout layout;
  const SortedFolders sorted = sort_folders(listing);
  for (const auto& [parent, siblings] : sorted.by_parent) {
    for (const RoleFolder& images : siblings.images) add_group(layout, parent, siblings, images);
    if (siblings.images.empty()) {
      for (const RoleFolder& masks : siblings.masks) {
        layout.findings.push_back(warning(
            "stray-masks", masks.path, "this folder of masks has no folder of images beside it"));
      }
    }
  }
  for (const ListedFolder& folder : sorted.without_role) leave_unlabelled(layout, folder);
  layout.name = name_of_groups(layout.groups);
  return layout;
}

/// The files of one folder, sorted into images, masks and valid areas by how their names end or
/// begin. "_mask" is
/// the valid area where the image has a mask with another suffix.
struct SuffixKinds {
  StemIndex images{}, masks{}, areas{};
};

/// Of each mask that has the rest of an image's name behind another beginning ("img_7", "mask_7"):
/// the image's stem by the mask's.
std::map<std::string, std::string> pair_by_prefix(const std::set<std::string>& stems) {
  std::map<std::string, std::string> image_of;
  for (const std::string& stem : stems) {
    for (const std::string_view prefix : image_prefixes()) {
      if (!stem.starts_with(prefix) || stem.size() == prefix.size()) continue;
      for (const std::string_view mask : mask_prefixes()) {
        const std::string partner = std::string(mask) + stem.substr(prefix.size());
        if (stems.contains(partner)) image_of.emplace(partner, stem);
      }
    }
  }
  return image_of;
}

SuffixKinds sort_by_suffix(const ListedFolder& folder) {
  std::set<std::string> stems;
  for (const fs::path& name : folder.names) stems.insert(stem_of(name));
  std::set<std::string> mask_stems, area_stems;
  for (const std::string& stem : stems) {
    std::vector<std::string> masks, areas;
    for (const std::string_view suffix : mask_suffixes()) {
      const bool is_also_area = std::ranges::find(area_suffixes(), suffix) != area_suffixes().end();
      const std::string partner = stem + std::string(suffix);
      if (stems.contains(partner)) (is_also_area ? areas : masks).push_back(partner);
    }
    if (masks.empty()) std::swap(masks, areas);
    for (const std::string_view suffix : area_suffixes()) {
      const std::string partner = stem + std::string(suffix);
      if (stems.contains(partner) && std::ranges::find(masks, partner) == masks.end()) {
        area_stems.insert(partner);
      }
    }
    mask_stems.insert(masks.begin(), masks.end());
  }
  const std::map<std::string, std::string> image_of = pair_by_prefix(stems);
  SuffixKinds kinds;
  for (const fs::path& name : folder.names) {
    const std::string stem = stem_of(name);
    if (const auto image = image_of.find(stem); image != image_of.end()) {
      kinds.masks.add(image->second + name.extension().string(), folder.path / name);
      continue;
    }
    StemIndex& index = mask_stems.contains(stem)   ? kinds.masks
                       : area_stems.contains(stem) ? kinds.areas
                                                   : kinds.images;
    index.add(name, folder.path / name);
  }
  return kinds;
}

Layout pair_by_suffix(const FolderListing& listing) {
  Layout layout{.name = "suffix-pairs"};
  for (const ListedFolder& folder : listing.folders) {
    const SuffixKinds kinds = sort_by_suffix(folder);
    if (kinds.masks.empty()) {
      leave_unlabelled(layout, folder);
      continue;
    }
    PairingGroup group{.folder = folder.path};
    Pairing(group.choices.emplace_back()).run(kinds.images, kinds.masks, kinds.areas);
    layout.groups.push_back(std::move(group));
  }
  return layout;
}

bool has_pair(const Layout& layout) {
  return std::ranges::any_of(layout.groups,
                             [](const PairingGroup& group) { return has_pair(group); });
}

[[noreturn]] void fail(const fs::path& root, const std::string& problem, std::string remedy) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"scanning the data folder",
                     fmt::format("'{}' {}", base::display_path(root), problem), std::move(remedy)});
}

[[noreturn]] void fail_without_pairs(const fs::path& root, const Layout& by_folders) {
  constexpr const char* kRemedy =
      "put images into a folder 'images' and masks of the same names into 'masks' beside it, or "
      "name the "
      "masks like the images with _mask behind";
  if (by_folders.groups.empty()) fail(root, "holds images, but no masks", kRemedy);
  const auto& missing = by_folders.groups.front().choices.front().unlabelled;
  const std::string example = missing.empty() ? ""
                                              : fmt::format("; for '{}' there is none",
                                                            base::display_path(missing.front()));
  fail(root, fmt::format("holds images and masks, but no mask has the name of an image{}", example),
       kRemedy);
}

}  // namespace

Layout recognise_layout(const FolderListing& listing, const std::string& wanted,
                        const std::filesystem::path& root) {
  if (listing.folders.empty()) {
    fail(root, "holds no images", "name a folder with PNG, JPEG, TIFF or BMP files in it or below");
  }
  const Layout by_folders = pair_by_folders(listing);
  Layout chosen = by_folders;
  if (wanted == "suffix-pairs" || (wanted == "auto" && !has_pair(by_folders))) {
    chosen = pair_by_suffix(listing);
  }
  if (!has_pair(chosen)) fail_without_pairs(root, by_folders);
  if (wanted != "auto" && wanted != chosen.name) {
    fail(root, fmt::format("has not the layout {}; it looks like {}", wanted, chosen.name),
         "give --layout auto, or the layout that it has");
  }
  return chosen;
}

}  // namespace headroom::formats
