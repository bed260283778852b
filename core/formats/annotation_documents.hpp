#pragma once
// The annotation documents of a data folder, found by extension and told apart by content. Runs on
// a job thread; its own threads are gone when it returns.

#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/annotation_scan.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/image_names.hpp"

namespace headroom::formats {

/// Documents of one layout.
struct AnnotationDocuments {
  std::string layout{};
  std::vector<AnnotationDocument> documents{};  ///< by path, ascending
  std::vector<FileDigest> digests{};            ///< of the documents, in their order
  std::vector<base::Finding> findings{};        ///< files that cannot be read
};

/// Of "auto", one entry per layout of which there are documents, or files that cannot be read, in
/// the order of annotation_layout_names(); else one entry at most. Throws Error (interrupted) on
/// stop.
[[nodiscard]] std::vector<AnnotationDocuments> find_annotation_documents(
    const AnnotationScan& scan, const FolderListing& listing, const ImageNames& images);

/// What `--layout` takes for annotations: "coco", "labelme", …
[[nodiscard]] const std::vector<std::string>& annotation_layout_names();

/// Whether `--layout NAME` asks for annotations.
[[nodiscard]] bool is_annotation_layout(const std::string& name);

}  // namespace headroom::formats
