#pragma once
// COCO's annotation files: polygons, run lengths and compressed run lengths
// (cocodataset.org/#format-data, "Object Detection"). Pure; any thread.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// Whether the document has the lists of a COCO file; captions, key points and boxes have them too.
[[nodiscard]] bool is_coco(const nlohmann::json& document);

/// Names are the categories in the order of their ids. Crowds are areas to ignore. What is broken
/// becomes a problem of its image, or of the document; nothing is thrown. `file` is relative to the
/// data folder.
[[nodiscard]] AnnotationDocument parse_coco(const nlohmann::json& document,
                                            const std::filesystem::path& file);

}  // namespace headroom::formats
