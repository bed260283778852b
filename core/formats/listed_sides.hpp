#pragma once
// What the lists of a layout say of samples. Pure; any thread.

#include <filesystem>
#include <vector>

#include "core/data/sample.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

/// Puts each sample, each page of a listed file included, on the side that the lists give it; on
/// none where it is in no list.
void set_listed_sides(const ListedImages& lists, const std::filesystem::path& root,
                      std::vector<data::Sample>& samples);

}  // namespace headroom::formats
