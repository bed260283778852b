#pragma once
// The JSON document of `headroom check --json`. Pure; any thread.

#include <string>

#include "core/data/sample.hpp"
#include "core/formats/scan.hpp"

namespace headroom::formats {

/// {"layout", "root", "fingerprint", "samples", "channels", "dtype", "height", "width", "classes",
/// "ignored_pixels", "splits": {"train", "val", "ids": {"train", "val"}}, "findings"}; `splits`
/// counts samples, and lists them in a form that --split reads. Text that is no valid UTF-8 (file
/// names) is shown with replacement characters.
[[nodiscard]] std::string check_report_json(const Dataset& dataset, const data::Split& split);

}  // namespace headroom::formats
