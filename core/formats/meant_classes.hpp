#pragma once
// Classes that a layout names, instead of those that the masks' values suggest. Pure; any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/finding.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/mask_census.hpp"

namespace headroom::formats {

struct MeantClasses {
  std::optional<base::ClassMapping> mapping{};  ///< nothing where the masks hold something else
  base::Finding finding{};  ///< where the classes come from, or why they are not used
};

/// Named values are classes in ascending order, also those that no mask holds. A value that is
/// neither named nor ignored, other than `ignore_value`, or masks of colours speak against the
/// names.
[[nodiscard]] MeantClasses map_as_meant(const MaskMeaning& meaning,
                                        const std::vector<MaskCensus>& masks,
                                        std::int64_t ignore_value);

}  // namespace headroom::formats
