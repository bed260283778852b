#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/report_pictures.hpp"
#include "app/signal_watch.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/run/report.hpp"
#include "core/run/report_document.hpp"

namespace headroom::app {
namespace {

/// Of JPEG in one report: as text in a page it takes a third more.
constexpr std::int64_t kMostPictureBytes = 1'500'000;

std::vector<run::RunReport> read_runs(const ReportCommand& command) {
  std::vector<run::RunReport> runs;
  const std::int64_t most_bytes = kMostPictureBytes / std::ssize(command.runs);
  for (const std::filesystem::path& folder : command.runs) {
    run::RunReport& run = runs.emplace_back(run::read_run_report(folder));
    run.pictures = read_report_pictures(folder, most_bytes, run.gaps);
  }
  return runs;
}

void warn_of_gaps(const std::vector<run::RunReport>& runs) {
  for (const run::RunReport& run : runs)
    for (const run::RecordGap& gap : run.gaps)
      write_errors(fmt::format("warning: {}/{} {}\n", run.folder, gap.file, gap.problem));
}

}  // namespace

int perform(const ReportCommand& command) {
  if (command.out.empty() && !command.output.json) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "reading the command line",
                       .subject = "report without --out",
                       .remedy = "Name the file: --out FILE.html, .json, .csv or .md"});
  }
  let_signals_end_process();
  std::optional<run::ReportFormat> format;
  if (!command.out.empty()) {
    format = run::report_format(command.out);
    run::refuse_foreign_file(command.out, *format);
  }
  const std::vector<run::RunReport> runs = read_runs(command);
  if (!command.output.quiet) warn_of_gaps(runs);
  const auto document = run::report_document(runs, std::chrono::system_clock::now());
  if (format) {
    const std::string text = run::report_text(*format, document, runs);
    base::write_file_atomically(command.out, text);
    if (!command.output.json) {
      write_output(fmt::format("report of {} {} in {} ({})\n", runs.size(),
                               runs.size() == 1 ? "run" : "runs", base::display_path(command.out),
                               base::format_bytes(std::ssize(text))));
    }
  }
  if (command.output.json) write_output(base::dump_json(document, 2) + '\n');
  return 0;
}

}  // namespace headroom::app
