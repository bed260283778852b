#include "core/formats/annotation_instances.hpp"

#include <map>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

struct Case {
  std::vector<const ListedFolder*> images{}, masks{};
};

/// A single mask of another name may as well be a mask whose image is missing, unless the folder is
/// named like the image.
bool is_case(const fs::path& parent, const Case& folders) {
  if (parent.empty() || folders.images.size() != 1 || folders.masks.size() != 1) return false;
  const ListedFolder& images = *folders.images.front();
  if (images.names.size() != 1) return false;
  return folders.masks.front()->names.size() > 1 ||
         stem_of(images.names.front()) == parent.filename().string();
}

AnnotationDocument read_case(const fs::path& root, const Case& folders) {
  const ListedFolder& masks = *folders.masks.front();
  const ListedFolder& images = *folders.images.front();
  AnnotationDocument document{.file = masks.path};
  AnnotatedImage image{.document = masks.path,
                       .name = (images.path / images.names.front()).generic_string()};
  for (const fs::path& name : masks.names) {
    image.annotations.push_back(
        {.name = "object", .entry = base::display_path(name), .mask = root / masks.path / name});
  }
  document.images.push_back(std::move(image));
  return document;
}

}  // namespace

std::vector<AnnotationDocument> find_instance_folders(const fs::path& root,
                                                      const FolderListing& images) {
  std::map<fs::path, Case> cases;
  for (const ListedFolder& folder : images.folders) {
    const FolderRole role = role_of_folder(folder.path.filename().string()).role;
    Case& siblings = cases[folder.path.parent_path()];
    if (role == FolderRole::images) siblings.images.push_back(&folder);
    if (role == FolderRole::masks) siblings.masks.push_back(&folder);
  }
  std::vector<AnnotationDocument> documents;
  for (const auto& [parent, folders] : cases) {
    if (is_case(parent, folders)) documents.push_back(read_case(root, folders));
  }
  return documents;
}

}  // namespace headroom::formats
