#pragma once
// The JSON document of `headroom check --json`. Pure; any thread.

#include <string>
#include <vector>

#include "core/base/dataset_summary.hpp"
#include "core/data/sample.hpp"

namespace headroom::formats {

/// {"layout", "root", "fingerprint", "samples", "channels", "dtype", "height", "width", "classes",
/// "ignored_pixels", "splits": {"train", "val"}, "findings"}; `splits` counts samples. Text that is
/// no valid UTF-8 (file names) is shown with replacement characters.
[[nodiscard]] std::string check_report_json(const base::DatasetSummary& summary,
                                            const data::Split& split);

}  // namespace headroom::formats
