#pragma once
// Which classes the values or colours of all masks suggest. Pure; any thread.

#include <cstdint>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/finding.hpp"
#include "core/formats/mask_census.hpp"

namespace headroom::formats {

struct MappingProposal {
  base::ClassMapping mapping{};
  std::vector<base::Finding> findings{};
};

/// What values with less than 1/2000 of all pixels are: an anti-aliased edge or a slip in pictures,
/// a small organ in volumes, whose files keep values exactly.
enum class RareValues { are_strays, are_classes };

/// Whether the masks can only be told apart by colours: any mask is of RGB colours, or palettes
/// differ between masks in an entry that is used.
[[nodiscard]] bool hold_colours(const std::vector<MaskCensus>& masks);

/// Colours count where the masks hold them; else values do. Values: {0, 255} are background and
/// foreground; `ignore_value` (-1: none) is ignored beside others; ids that then follow each other
/// from 0 or 1 are classes in their order; other values, and colours, are classes in ascending
/// order, of which strays are ignored. Names of annotations are classes in their order, with or
/// without pixels; "background", "_background_" and the like are class 0, "__ignore__", "ignore"
/// and "void" are ignored.
[[nodiscard]] MappingProposal propose_mapping(const std::vector<MaskCensus>& masks,
                                              std::int64_t ignore_value,
                                              RareValues rare = RareValues::are_strays);

}  // namespace headroom::formats
