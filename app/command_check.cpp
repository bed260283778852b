#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "app/augmented_sheet.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/dataset_split.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/training_data.hpp"
#include "app/training_summary.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/formats/check_report.hpp"
#include "core/formats/raster_parts.hpp"
#include "core/formats/raster_writer.hpp"

namespace headroom::app {
namespace {

std::string findings_text(const std::vector<base::Finding>& findings) {
  std::string text;
  for (const base::Finding& finding : findings) {
    const std::string place = finding.file.empty() ? "" : finding.file + ": ";
    text += fmt::format("{}: {}{} [{}]\n", base::name_of(finding.severity), place, finding.message,
                        finding.code);
  }
  return text;
}

bool has_errors(const std::vector<base::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const base::Finding& finding) {
    return finding.severity == base::Severity::error;
  });
}

/// A split that cannot be made is a finding here: everything else about the folder is still worth
/// telling.
data::Split split_with_findings(formats::Dataset& dataset, const base::Settings& settings,
                                const ScanProgressFunction& on_progress, std::stop_token stop) {
  std::vector<base::Finding>& findings = dataset.summary.findings;
  try {
    data::SplitResult result = split_dataset(dataset, settings, on_progress, std::move(stop));
    findings.insert(findings.end(), result.findings.begin(), result.findings.end());
    return result.split;
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    findings.push_back(
        {.severity = base::Severity::error, .code = "split", .message = error.what()});
    return {};
  }
}

void write_augmented(const std::filesystem::path& file, formats::Dataset dataset,
                     const base::Settings& settings, std::stop_token stop) {
  const Colours colours = formats::class_colours(dataset.mapping);
  const train::TrainingData prepared =
      prepare_training_data(std::move(dataset), settings, {}, std::move(stop));
  const data::TrainingTiles tiles(train::tile_inputs(prepared), train::tile_options(settings));
  formats::write_png(file, draw_augmented_sheet(tiles, colours));
}

int check_folder(const CheckCommand& command) {
  const base::Settings settings = command.given.applied_to({});
  ProgressDisplay display(progress_style(command.output.quiet));
  const auto show = [&display](const formats::ScanProgress& scan) {
    display.update(progress_of(scan), ProgressDisplay::Clock::now());
  };
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  formats::Dataset dataset = scan_folder(command.path, settings.data, show, stop.get_token());
  std::optional<formats::Dataset> undivided;  // a split may cut images into blocks
  if (!command.augmented.empty()) undivided = dataset;
  const data::Split split = split_with_findings(dataset, settings, show, stop.get_token());
  display.clear();

  const base::DatasetSummary& summary = dataset.summary;
  if (command.output.json) {
    write_output(formats::check_report_json(dataset, split) + '\n');
  } else {
    write_output(describe_dataset(summary) + '\n' + describe_classes(summary) +
                 fmt::format("split:   {} to train on, {} to validate on\n", split.train.size(),
                             split.validation.size()) +
                 findings_text(summary.findings));
  }
  if (has_errors(summary.findings)) return static_cast<int>(base::ErrorKind::unusable_data);
  if (undivided)
    write_augmented(command.augmented, *std::move(undivided), settings, stop.get_token());
  return 0;
}

/// One file: the header, and every pixel read, so that a truncated file is told.
int check_file(const CheckCommand& command) {
  let_signals_end_process();
  const formats::RasterInfo raster = formats::read_raster_info(command.path);
  for (std::int64_t page = 0; page < raster.pages; ++page) {
    formats::PageReader reader(command.path, page);
    for (const base::PixelWindow& part : formats::parts_of(reader.info()))
      static_cast<void>(reader.read(part));
  }
  const std::string name = base::display_path(command.path);
  if (command.output.json) {
    const nlohmann::ordered_json document = {
        {"file", name},
        {"format", raster.format},
        {"height", raster.height},
        {"width", raster.width},
        {"channels", raster.channels},
        {"dtype", base::name_of(raster.type)},
        {"palette", raster.kind == formats::RasterKind::palette},
        {"alpha", raster.has_alpha},
        {"georeferenced", raster.geo.has_value()},
        {"orientation", raster.orientation},
        {"pages", raster.pages},
        {"findings", nlohmann::ordered_json::array()}};
    write_output(base::dump_json(document, 2) + '\n');
    return 0;
  }
  write_output(fmt::format("{}: {}, {}x{}, {} channels of {}{}{}{}\n", name, raster.format,
                           raster.height, raster.width, raster.channels, base::name_of(raster.type),
                           raster.kind == formats::RasterKind::palette ? ", palette" : "",
                           raster.has_alpha ? ", the last one alpha" : "",
                           raster.geo ? ", georeferenced" : ""));
  return 0;
}

}  // namespace

int perform(const CheckCommand& command) {
  if (!std::filesystem::is_regular_file(command.path)) return check_folder(command);
  if (!command.augmented.empty()) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "drawing training tiles",
                       .subject = base::display_path(command.path) + " is one file",
                       .remedy = "Give a data folder, or leave --augmented out"});
  }
  return check_file(command);
}

}  // namespace headroom::app
