#pragma once
// YOLO's text files: one per image, one polygon per line, positions as shares of width and height
// (docs.ultralytics.com, "Instance Segmentation Datasets"). Any thread.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// Names of classes by id, from a file that lists them.
struct YoloNames {
  std::filesystem::path file{};  ///< relative to the data folder
  std::vector<std::string> names{};
};

/// From the entry "names" of a YAML file, a list or a map from ids, or from a classes.txt with a
/// name per line. Nothing where the file has none. Throws Error (unusable_data): no valid YAML, or
/// names that are not numbered from 0. `file` is relative to `root`.
[[nodiscard]] std::optional<YoloNames> read_yolo_names(const std::filesystem::path& root,
                                                       const std::filesystem::path& file);

/// Whether the first line that is not blank is a class id and pairs of numbers.
[[nodiscard]] bool is_yolo(const std::string& text);

/// One image, named by the file's path with "images" for its last folder "labels", without an
/// extension. Without `names` class 3 is "class_3". Boxes and lines that cannot be read are
/// problems; nothing is thrown.
[[nodiscard]] AnnotationDocument parse_yolo(const std::string& text,
                                            const std::filesystem::path& file,
                                            const std::vector<std::string>& names);

}  // namespace headroom::formats
