#pragma once
// Reports of runs as files: HTML, JSON, CSV, Markdown. Any thread.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/run/run_report.hpp"

namespace headroom::run {

enum class ReportFormat { html, json, csv, markdown };

/// By the file's extension, in any case. Throws Error (usage) for another one.
[[nodiscard]] ReportFormat report_format(const std::filesystem::path& file);

/// Of report_document's document and the same runs. CSV: a row for each plan of each run. Markdown:
/// the figures, plans and scores of the page as tables.
[[nodiscard]] std::string report_text(ReportFormat format, const nlohmann::ordered_json& document,
                                      std::span<const RunReport> runs);

/// Throws Error (usage) where `file` is there and no report of this format: what a run or a person
/// wrote is not replaced.
void refuse_foreign_file(const std::filesystem::path& file, ReportFormat format);

}  // namespace headroom::run
