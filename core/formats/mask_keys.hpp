#pragma once
// Which values or colours all masks hold together: what a mapping has to say something about. Pure;
// any thread.

#include <span>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/dataset_summary.hpp"
#include "core/formats/scanned_sample.hpp"

namespace headroom::formats {

/// Ascending, named as `mapping` names them: by colour where it does. Keys that it lacks are among
/// them.
[[nodiscard]] std::vector<base::MaskKeySummary> count_mask_keys(
    std::span<const ScannedSample> samples, const base::ClassMapping& mapping);

}  // namespace headroom::formats
