#pragma once
// Which samples are learned from and which only judge. Pure functions (a split file is read once);
// any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/data/sample.hpp"

namespace headroom::data {

struct SplitResult {
  Split split{};  ///< indices ascending on each side
  std::vector<base::Finding> findings{};
};

/// Splits by `setting` (DataSettings::split): a share in (0, 1) for validation, drawn with `seed`,
/// at least one sample on each side, pages of one file on the same side; or a JSON file with the
/// lists "train" and "val" of sample ids. Samples in neither list are left out, with an info
/// finding. Where all samples are pages of one file, the last ones validate, with a warning:
/// neighbouring pages are alike. Throws Error (usage): one sample only, a text that is neither, an
/// unreadable or wrong file, an unknown id or an id in both lists (each named), an empty side.
[[nodiscard]] SplitResult make_split(const std::vector<Sample>& samples, const std::string& setting,
                                     std::int64_t seed);

/// A warning for each class that has pixels on the validation side and none on the training side:
/// it cannot be learned. `class_pixels` is [sample][class].
[[nodiscard]] std::vector<base::Finding> find_unlearnable_classes(
    const Split& split, const std::vector<std::vector<std::int64_t>>& class_pixels,
    const std::vector<std::string>& class_names);

}  // namespace headroom::data
