#pragma once
// A report as one HTML file: nothing outside it is needed, no script runs. It is well-formed XML
// too. Pure; any thread.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/run/run_report.hpp"

namespace headroom::run {

/// How every page begins.
inline constexpr const char* kPageBegin = "<!DOCTYPE html>\n<!-- Headroom report -->\n";

/// Of report_document's document and the same runs, whose pictures it takes in. Every number of a
/// run stands in a <data> element with the document's value and, as data-key, the JSON pointer to
/// it.
[[nodiscard]] std::string report_page(const nlohmann::ordered_json& document,
                                      std::span<const RunReport> runs);

}  // namespace headroom::run
