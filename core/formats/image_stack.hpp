#pragma once
// A sample whose channels are in several files, as one image. Pure functions over files; any
// thread.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/image.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

/// What keeps the bands of two files out of one image, naming both; nothing where all is well. They
/// need one size, one depth and one nodata value.
[[nodiscard]] std::optional<std::string> why_not_stacked(const std::filesystem::path& first_file,
                                                         const base::Image& first,
                                                         const std::filesystem::path& other_file,
                                                         const base::Image& other);

/// All bands of images of one size and depth, in their order.
[[nodiscard]] base::Image stack_bands(const std::vector<base::Image>& images);

}  // namespace headroom::formats
