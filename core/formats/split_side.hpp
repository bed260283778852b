#pragma once
// Which side of a split the folders of a file name. Pure; any thread.

#include <filesystem>

#include "core/data/sample.hpp"

namespace headroom::formats {

/// By the topmost folder of the relative path whose name tells one: "train/images", "images/val",
/// "train_images", "val2017", "leftImg8bit/test", "imagesTr". The file's own name does not count.
[[nodiscard]] data::SplitSide side_of_path(const std::filesystem::path& relative);

}  // namespace headroom::formats
