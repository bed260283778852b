#pragma once
// Tables of run lengths as Kaggle uses them: columns ImageId and EncodedPixels, one row per object.
// Any thread.

#include <filesystem>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// Whether the first line has the two columns, in any case and order.
[[nodiscard]] bool is_rle_csv(const std::filesystem::path& file);

/// Runs are counted from 1 down the columns. A column ClassId gives classes, else all objects are
/// "object". A row without runs names an image without objects. A row that cannot be read is a
/// problem of its image. Throws Error (unusable_data) when the file is no table. `file` is relative
/// to `root`.
[[nodiscard]] AnnotationDocument parse_rle_csv(const std::filesystem::path& root,
                                               const std::filesystem::path& file);

}  // namespace headroom::formats
