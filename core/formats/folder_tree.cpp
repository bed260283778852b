#include "core/formats/folder_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace fs = std::filesystem;

std::vector<fs::path> folders_named(const FolderListing& listing, std::string_view name) {
  std::set<fs::path> found;
  for (const ListedFolder& folder : listing.folders) {
    fs::path above;
    for (const fs::path& part : folder.path) {
      above /= part;
      if (part.native() == name) found.insert(above);
    }
  }
  return {found.begin(), found.end()};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

std::vector<FileBelow> files_below(const FolderListing& listing, const fs::path& folder) {
  std::vector<FileBelow> files;
  for (const ListedFolder& listed : listing.folders) {
    if (!is_below(listed.path, folder)) continue;
    const fs::path below = folder.empty() ? listed.path : listed.path.lexically_relative(folder);
    for (const fs::path& name : listed.names) {
      files.push_back({below == "." ? name : below / name, listed.path / name});
    }
  }
  return files;
}

StemIndex index_of(const std::vector<FileBelow>& files) {
  StemIndex index;
  for (const FileBelow& each : files) index.add(each.below, each.file);
  return index;
}

void note_other_folders(Layout& layout, const FolderListing& listing,
                        const std::vector<fs::path>& used) {
  for (const ListedFolder& folder : listing.folders) {
    const auto holds = [&](const fs::path& each) { return is_below(folder.path, each); };
    if (std::ranges::any_of(used, holds)) continue;
    layout.findings.push_back(
        {base::Severity::info, "other-files", base::display_path(folder.path),
         fmt::format("{} files in this folder have no part in the layout {} and are not used",
                     folder.names.size(), layout.name)});
  }
}

}  // namespace headroom::formats
