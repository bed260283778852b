#pragma once
// The YOLO files of a data folder. Runs on a job thread; its own threads are gone when it returns.

#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/annotation_scan.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/image_names.hpp"

namespace headroom::formats {

struct YoloDocuments {
  std::vector<AnnotationDocument> documents{};  ///< by path, ascending
  std::vector<FileDigest> digests{};
  std::vector<base::Finding> findings{};
};

/// Text files that begin with a YOLO line, and, where there are any, the others that are named like
/// an image: one without lines is of an image without objects. Names of classes come from the YAML
/// file or classes.txt in the nearest folder above a file, else from any. Throws Error
/// (interrupted) on stop.
[[nodiscard]] YoloDocuments find_yolo_documents(const AnnotationScan& scan,
                                                const ImageNames& images);

}  // namespace headroom::formats
