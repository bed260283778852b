#pragma once
// LabelMe's files, one per image: polygons, rectangles and circles. Pure; any thread.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

[[nodiscard]] bool is_labelme(const nlohmann::json& document);

/// One image, named by imagePath, else by the document's stem. Lines and points have no area and
/// are left out, with a problem; a shape that cannot be understood is a problem; nothing is thrown.
/// `file` is relative to the data folder.
[[nodiscard]] AnnotationDocument parse_labelme(const nlohmann::json& document,
                                               const std::filesystem::path& file);

}  // namespace headroom::formats
