#include "core/formats/folder_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/interruption.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  Walk(fs::path root, FileChoice is_wanted, std::stop_token stop)
      : root_(std::move(root)), is_wanted_(is_wanted), stop_(std::move(stop)) {}

  FolderListing run() {
    visit({});
    std::ranges::sort(listing_.folders, {}, &ListedFolder::path);
    return std::move(listing_);
  }

 private:
  void visit(const fs::path& relative) {
    base::throw_if_stopped(stop_, "listing the data folder");
    if (!enter(relative)) return;
    ListedFolder folder{.path = relative};
    std::vector<fs::path> below;
    std::error_code failure;
    fs::directory_iterator entry(root_ / relative, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
      sort_in(relative / entry->path().filename(), folder, below);
    }
    if (failure) report_unreadable(relative, failure);
    std::ranges::sort(folder.names);
    std::ranges::sort(below);
    if (!folder.names.empty()) listing_.folders.push_back(std::move(folder));
    for (const fs::path& path : below) visit(path);
    above_.pop_back();
  }

  /// False for a folder that is one of those above it.
  bool enter(const fs::path& relative) {
    std::error_code failure;
    fs::path real = fs::canonical(root_ / relative, failure);
    if (failure) {
      report_unreadable(relative, failure);
      return false;
    }
    if (std::ranges::find(above_, real) != above_.end()) {
      report("link-loop", relative, "this link leads to a folder above itself and is not followed");
      return false;
    }
    above_.push_back(std::move(real));
    return true;
  }

  void sort_in(const fs::path& relative, ListedFolder& folder, std::vector<fs::path>& below) {
    const std::string name = relative.filename().string();
    if (name.starts_with('.') || name == "__MACOSX") return;
    std::error_code failure;
    const fs::file_status status = fs::status(root_ / relative, failure);
    if (fs::is_directory(status)) {
      below.push_back(relative);
    } else if (!is_wanted_(root_ / relative)) {
      return;
    } else if (fs::is_regular_file(status)) {
      folder.names.push_back(relative.filename());
    } else {
      report("broken-link", relative,
             "this is a link to nothing, or no regular file, and is left out");
    }
  }

  void report_unreadable(const fs::path& relative, const std::error_code& failure) {
    if (relative.empty()) throw base::io_error("listing the data folder", root_, failure.value());
    report("folder-unreadable", relative,
           fmt::format("this folder cannot be read ({}) and is left out", failure.message()));
  }

  void report(const char* code, const fs::path& relative, std::string message) {
    listing_.findings.push_back(
        {base::Severity::warning, code, base::display_path(relative), std::move(message)});
  }

  const fs::path root_;
  const FileChoice is_wanted_;
  const std::stop_token stop_;
  std::vector<fs::path> above_;  ///< real paths of the folders being visited
  FolderListing listing_;
};

}  // namespace

FolderListing list_raster_files(const std::filesystem::path& root, std::stop_token stop) {
  return list_files(root, has_raster_extension, std::move(stop));
}

FolderListing list_files(const std::filesystem::path& root, FileChoice is_wanted,
                         std::stop_token stop) {
  std::error_code failure;
  if (!fs::is_directory(root, failure)) {
    const bool exists = fs::exists(root, failure);
    throw base::Error(base::ErrorKind::unusable_data,
                      {"scanning the data folder",
                       fmt::format("'{}' {}", base::display_path(root),
                                   exists ? "is no folder" : "does not exist"),
                       "name the folder that holds images and masks"});
  }
  return Walk(root, is_wanted, std::move(stop)).run();
}

}  // namespace headroom::formats
