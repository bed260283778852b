#pragma once
// A report as one JSON document: the values that every other form of it shows. Pure; any thread.

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/run/run_report.hpp"

namespace headroom::run {

/// How every document begins.
inline constexpr const char* kReportFormat = "headroom-report";

/// {"format", "format_version", "written", "build_commit", "settings_that_differ":[keys],
/// "runs":[…]}. Of each run: "name", "folder", "outcome", "error", "began", "ended",
/// "resumed_after", "steps_done", "steps", "data", "settings", "environment", "build_commit",
/// "device", "precision", "parameters", "budget_bytes", "peak_bytes", "peak_total_bytes",
/// "seconds_per_step", "loss", "seconds":{"steps", by phase}, "best", "last", "validations",
/// "plans":[{"plan", "letters", "first_step", "steps", "tiles_at_once", "peak_bytes",
/// "peak_total_bytes", "seconds_per_step", "recompute_seconds_per_step", "of_keep"}],
/// "plan_changes":[{"letters", "step", "plan", "tiles_at_once", "cause"}], "out_of_memory",
/// "history":[{"first_step", "last_step", "loss", "lowest_loss", "highest_loss",
/// "peak_total_bytes", "seconds":{by phase}}], "pictures":[{"file", "height", "width"}],
/// "missing":[{"file", "problem"}]. What is not known is null. `written` is told as given.
[[nodiscard]] nlohmann::ordered_json report_document(std::span<const RunReport> runs,
                                                     std::chrono::system_clock::time_point written);

}  // namespace headroom::run
