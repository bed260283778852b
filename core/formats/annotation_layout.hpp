#pragma once
// Data folders whose labels are annotation documents: which image belongs to which entry. Runs on a
// job thread.

#include <memory>
#include <optional>

#include "core/formats/annotation_documents.hpp"
#include "core/formats/annotation_set.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

struct AnnotationLayout {
  Layout layout{};  ///< one group with one choice; its pairs have the document as mask, and a key
  std::shared_ptr<const AnnotationSet> annotations{};
};

/// Reads the documents and finds their images. With "auto" the layout that has most of the images
/// is taken. Images that are missing, or that several documents annotate, and documents that cannot
/// be read are findings. Nothing where there are no such documents. Throws Error: unusable_data
/// when there are documents, but none that can be read or none of an image that is there;
/// interrupted on stop.
[[nodiscard]] std::optional<AnnotationLayout> recognise_annotations(const FolderListing& images,
                                                                    const AnnotationScan& scan);

}  // namespace headroom::formats
