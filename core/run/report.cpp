#include "core/run/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/run/csv.hpp"
#include "core/run/markup.hpp"
#include "core/run/report_document.hpp"
#include "core/run/report_page.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCsvBegin =
    "run,outcome,steps_done,best_mean_dice,best_mean_iou,budget_bytes,plan,first_step,steps,"
    "tiles_at_once,peak_bytes,peak_total_bytes,seconds_per_step,recompute_seconds_per_step,of_keep"
    "\n";
constexpr std::string_view kMarkdownBegin = "# Headroom report\n";

std::string_view begin_of(ReportFormat format) {
  switch (format) {
    case ReportFormat::html:
      return kPageBegin;
    case ReportFormat::json:
      return "{\n  \"format\": \"headroom-report\"";
    case ReportFormat::csv:
      return kCsvBegin;
    case ReportFormat::markdown:
      return kMarkdownBegin;
  }
  return {};
}

/// Empty for null.
std::string csv_value(const Json& value) {
  if (value.is_null()) return {};
  return csv_field(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string csv_text(const Json& document) {
  std::string text(kCsvBegin);
  for (const Json& run : document.at("runs")) {
    const Json& best = run.at("best");
    const Json none;
    const std::string of_run = fmt::format(
        "{},{},{},{},{},{}", csv_value(run.at("name")), csv_value(run.at("outcome")),
        csv_value(run.at("steps_done")), csv_value(best.is_null() ? none : best.at("mean_dice")),
        csv_value(best.is_null() ? none : best.at("mean_iou")), csv_value(run.at("budget_bytes")));
    for (const Json& plan : run.at("plans")) {
      text += of_run;
      for (const char* const key :
           {"plan", "first_step", "steps", "tiles_at_once", "peak_bytes", "peak_total_bytes",
            "seconds_per_step", "recompute_seconds_per_step", "of_keep"}) {
        text += ',' + csv_value(plan.at(key));
      }
      text += '\n';
    }
    if (run.at("plans").empty()) text += of_run + ",,,,,,,,,\n";
  }
  return text;
}

/// As a cell of a table that shows it as it is.
std::string cell(std::string_view text) {
  std::string escaped_text;
  for (const char c : escaped(text)) {
    const bool is_markup = std::string_view("\\`*_[]|~").find(c) != std::string_view::npos;
    if (is_markup) escaped_text += '\\';
    escaped_text += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped_text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdown_header(const std::vector<std::string>& names) {
  std::string line = "| --- |";
  for (std::size_t i = 1; i < names.size(); ++i) line += " --: |";
  return markdown_row(names) + line + '\n';
}

std::string markdown_run(const Json& run) {
  const auto text = [](const Json& value) {
    return value.is_string() ? cell(value.get<std::string>()) : std::string("–");
  };
  std::string part = fmt::format("\n## {}\n\n", text(run.at("name")));
  part += fmt::format("{} after {} steps; {}, {}; peak {}, budget {}; median step {}.\n",
                      text(run.at("outcome")), shown(run.at("steps_done"), Notation::count),
                      text(run.at("device")), text(run.at("precision")),
                      shown(run.at("peak_total_bytes"), Notation::bytes),
                      shown(run.at("budget_bytes"), Notation::bytes),
                      shown(run.at("seconds_per_step"), Notation::milliseconds));
  for (const Json& gap : run.at("missing"))
    part += fmt::format("\n{} {}.\n", text(gap.at("file")), text(gap.at("problem")));
  if (!run.at("plans").empty())
    part += '\n' + markdown_header({"Plan", "From step", "Steps", "Tiles at once", "Peak",
                                    "Above weights", "Step", "× Keep"});
  for (const Json& plan : run.at("plans")) {
    part += markdown_row({text(plan.at("plan")), shown(plan.at("first_step"), Notation::count),
                          shown(plan.at("steps"), Notation::count),
                          shown(plan.at("tiles_at_once"), Notation::count),
                          shown(plan.at("peak_total_bytes"), Notation::bytes),
                          shown(plan.at("peak_bytes"), Notation::bytes),
                          shown(plan.at("seconds_per_step"), Notation::milliseconds),
                          shown(plan.at("of_keep"), Notation::ratio)});
  }
  const Json& scores = run.at("best").is_null() ? run.at("last") : run.at("best");
  if (scores.is_null()) return part;
  part += '\n' + markdown_header({"Class", "IoU", "Dice"});
  for (const Json& score : scores.at("classes"))
    part += markdown_row({text(score.at("name")), shown(score.at("iou"), Notation::score),
                          shown(score.at("dice"), Notation::score)});
  return part + markdown_row({"mean", shown(scores.at("mean_iou"), Notation::score),
                              shown(scores.at("mean_dice"), Notation::score)});
}

std::string markdown_text(const Json& document) {
  std::string text(kMarkdownBegin);
  text += fmt::format("\nWritten {}.\n", document.at("written").get<std::string>());
  for (const Json& run : document.at("runs")) text += markdown_run(run);
  return text;
}

}  // namespace

ReportFormat report_format(const std::filesystem::path& file) {
  std::string extension = file.extension().native();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (extension == ".html") return ReportFormat::html;
  if (extension == ".json") return ReportFormat::json;
  if (extension == ".csv") return ReportFormat::csv;
  if (extension == ".md") return ReportFormat::markdown;
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "choosing the report's format",
                     .subject = base::display_path(file) + ": its extension names none",
                     .remedy = "Name it .html, .json, .csv or .md"});
}

std::string report_text(ReportFormat format, const Json& document,
                        std::span<const RunReport> runs) {
  switch (format) {
    case ReportFormat::html:
      return report_page(document, runs);
    case ReportFormat::json:
      return base::dump_json(document, 2) + '\n';
    case ReportFormat::csv:
      return csv_text(document);
    case ReportFormat::markdown:
      return markdown_text(document);
  }
  return {};
}

void refuse_foreign_file(const std::filesystem::path& file, ReportFormat format) {
  std::error_code problem;
  const auto status = std::filesystem::status(file, problem);
  if (!std::filesystem::exists(status)) return;
  const bool is_file = std::filesystem::is_regular_file(status);
  if (is_file && base::read_file(file).starts_with(begin_of(format))) return;
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "writing the report",
                     .subject = base::display_path(file) + ": is there and is no report",
                     .remedy = "Give --out a new name, or move that one away"});
}

}  // namespace headroom::run
