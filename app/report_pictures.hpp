#pragma once
// The sample predictions of a run, made small enough for a report. Any thread.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/run/run_report.hpp"

namespace headroom::app {

/// Of the latest validation that has pictures, in the order of their names: as many as fit into
/// `most_bytes` of JPEG. A file that cannot be read is left out and becomes one of the `gaps`.
[[nodiscard]] std::vector<run::ReportPicture> read_report_pictures(
    const std::filesystem::path& run_folder, std::int64_t most_bytes,
    std::vector<run::RecordGap>& gaps);

}  // namespace headroom::app
