#pragma once
// The images of a data folder by the names that annotation documents have for them. Pure; any
// thread.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/formats/folder_listing.hpp"

namespace headroom::formats {

class ImageNames {
 public:
  explicit ImageNames(const FolderListing& images);

  /// Relative to the data folder, ascending. Those in folders of masks or valid areas are not among
  /// them, unless there are no others.
  [[nodiscard]] const std::set<std::filesystem::path>& images() const { return images_; }

  /// The images that `name` may mean in a document of `folder`, several where it does not tell:
  /// the path from that folder or from the data folder; else images of that file name, those in
  /// folders of the same names first, then those below the document's folder; else the same by the
  /// stem. '\' counts as '/'.
  [[nodiscard]] std::vector<std::filesystem::path> find(const std::filesystem::path& folder,
                                                        const std::string& name) const;

 private:
  using Index = std::map<std::string, std::vector<std::filesystem::path>>;

  std::set<std::filesystem::path> images_;
  Index by_file_name_;
  Index by_stem_;
};

}  // namespace headroom::formats
