#include "app/folder_contents.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace headroom::app {

namespace fs = std::filesystem;

bool is_run_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "run.json", ignored);
}

ui::FolderListing list_folder(const fs::path& folder, const run::JobContext& context) {
  ui::FolderListing listing;
  listing.folder = folder;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    run::check_not_cancelled(context);
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      listing.folders.push_back({.name = name, .is_run = is_run_folder(entry->path())});
    } else {
      ++listing.files;
    }
  }
  if (failure) listing.problem = failure.message();
  std::sort(listing.folders.begin(), listing.folders.end(),
            [](const ui::FolderEntry& a, const ui::FolderEntry& b) { return a.name < b.name; });
  return listing;
}

}  // namespace headroom::app
