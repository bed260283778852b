#pragma once
// Folders of one image each with a mask per object, as the Data Science Bowl 2018 has them:
// CASE/images/NAME.png and CASE/masks/*.png. Runs on a job thread.

#include <filesystem>
#include <vector>

#include "core/formats/annotation.hpp"
#include "core/formats/folder_listing.hpp"

namespace headroom::formats {

/// One document per folder CASE below the data folder that has a folder of images with one file in
/// it and a folder of masks, several or with CASE as the image's name; the document is the folder
/// of masks. Its annotations are all "object", in the order of the masks' names. `root` is the data
/// folder.
[[nodiscard]] std::vector<AnnotationDocument> find_instance_folders(
    const std::filesystem::path& root, const FolderListing& images);

}  // namespace headroom::formats
