#include "core/formats/image_names.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/formats/folder_roles.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

bool ends_with(const fs::path& path, const fs::path& end) {
  const std::vector<fs::path> parts(path.begin(), path.end()), wanted(end.begin(), end.end());
  return parts.size() >= wanted.size() &&
         std::equal(wanted.rbegin(), wanted.rend(), parts.rbegin());
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const std::vector<fs::path> parts(path.begin(), path.end()), wanted(folder.begin(), folder.end());
  return parts.size() > wanted.size() && std::equal(wanted.begin(), wanted.end(), parts.begin());
}

/// By the last folder whose name has a role.
bool holds_masks(const fs::path& folder) {
  FolderRole role = FolderRole::none;
  for (const fs::path& part : folder) {
    const FolderRole named = role_of_folder(part.string()).role;
    if (named != FolderRole::none) role = named;
  }
  return role == FolderRole::masks || role == FolderRole::valid_area;
}

/// Leaves those that `is_better`, if there are any.
void prefer(std::vector<fs::path>& paths, const std::function<bool(const fs::path&)>& is_better) {
  if (paths.size() < 2 || std::ranges::none_of(paths, is_better)) return;
  std::erase_if(paths, [&](const fs::path& path) { return !is_better(path); });
}

}  // namespace

ImageNames::ImageNames(const FolderListing& images) {
  const bool has_others = std::ranges::any_of(
      images.folders, [](const ListedFolder& folder) { return !holds_masks(folder.path); });
  for (const ListedFolder& folder : images.folders) {
    if (has_others && holds_masks(folder.path)) continue;
    for (const fs::path& name : folder.names) {
      images_.insert(folder.path / name);
      by_file_name_[name.string()].push_back(folder.path / name);
      by_stem_[stem_of(name)].push_back(folder.path / name);
    }
  }
}

std::vector<fs::path> ImageNames::find(const fs::path& folder, const std::string& name) const {
  std::string slashed = name;
  std::ranges::replace(slashed, '\\', '/');
  const fs::path path = fs::path(slashed).lexically_normal();
  for (const fs::path& exact : {(folder / path).lexically_normal(), path}) {
    if (images_.contains(exact)) return {exact};
  }
  std::vector<fs::path> found;
  const auto take = [&](const Index& index, const std::string& key) {
    const auto entry = index.find(key);
    if (found.empty() && entry != index.end()) found = entry->second;
  };
  take(by_file_name_, path.filename().string());
  take(by_stem_, path.filename().string());
  take(by_stem_, stem_of(path.filename()));
  const fs::path folders = path.parent_path();
  prefer(found, [&](const fs::path& image) { return ends_with(image.parent_path(), folders); });
  prefer(found, [&](const fs::path& image) { return is_below(image, folder); });
  return found;
}

}  // namespace headroom::formats
