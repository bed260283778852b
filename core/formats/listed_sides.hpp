#pragma once
// The lists of a layout as lists of samples. Pure; any thread.

#include <filesystem>
#include <vector>

#include "core/data/sample.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

/// In the lists' order, each page of a listed file; images that are no samples are left out.
[[nodiscard]] data::ListedSides sides_of(const ListedImages& lists,
                                         const std::filesystem::path& root,
                                         const std::vector<data::Sample>& samples);

}  // namespace headroom::formats
