#pragma once
// Which samples must stay on one side of a split. Pure; any thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/data/sample.hpp"

namespace headroom::data {

/// Indices of samples that belong together.
using SampleGroup = std::vector<std::int64_t>;

struct SampleGroups {
  std::vector<SampleGroup> groups{};  ///< by their first samples; indices ascending
  std::vector<base::Finding> findings{};
};

/// Groups the samples `chosen` (indices, ascending) as DataSettings::split_by says. The pages of a
/// file stay together in any case. "sample": each file; "folder": all images of a folder;
/// "patient", "series": by the DICOM tags, files without them each on their own with a warning;
/// "blocks": the parts at one place of a file's pages; else an ECMAScript regular expression that
/// is searched for in the ids: samples belong together whose first group that took part has the
/// same text. Throws Error (usage): no sample has the tag, the expression is wrong, has no group,
/// or an id lacks it.
[[nodiscard]] SampleGroups group_samples(const std::vector<Sample>& samples,
                                         const std::vector<std::int64_t>& chosen,
                                         const std::string& by);

}  // namespace headroom::data
