#include "app/dataset_loading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

#include "core/data/normalisation.hpp"
#include "core/data/sample_cache.hpp"
#include "core/data/split.hpp"

namespace headroom::app {
namespace {

/// Scanning and counting happen before training, when all cores are free.
std::int64_t idle_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

void append(std::vector<base::Finding>& all, std::vector<base::Finding> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

base::Finding split_sizes(const data::Split& split) {
  return {.severity = base::Severity::info,
          .code = "split",
          .message = fmt::format("{} samples to train on, {} to validate on", split.train.size(),
                                 split.validation.size())};
}

}  // namespace

formats::ScanOptions scan_options(const std::filesystem::path& folder,
                                  const base::DataSettings& settings) {
  return {.folder = folder,
          .layout = settings.layout,
          .mapping_file = settings.mapping,
          .ignore_value = settings.ignore,
          .threads = idle_cores()};
}

train::TrainingData load_training_data(const std::filesystem::path& folder,
                                       const base::Settings& settings,
                                       const LoadingCallbacks& callbacks, std::stop_token stop) {
  formats::Dataset dataset =
      formats::scan_dataset(scan_options(folder, settings.data), callbacks.on_progress, stop);
  formats::require_usable(dataset.summary);
  data::SplitResult split =
      data::make_split(dataset.samples, settings.data.split, settings.step.seed);
  std::vector<base::Finding> findings = std::move(split.findings);
  findings.push_back(split_sizes(split.split));
  append(findings, data::find_unlearnable_classes(split.split, dataset.class_pixels,
                                                  dataset.mapping.class_names));

  const auto reader = formats::make_sample_reader(dataset);
  data::SampleCache cache(dataset.samples, reader, 0);
  data::NormalisationResult measured =
      data::measure_normalisation(cache, split.split.train,
                                  {.mode = settings.data.normalise,
                                   .channels = dataset.summary.channels,
                                   .threads = idle_cores()},
                                  stop);
  append(findings, std::move(measured.findings));
  append(dataset.summary.findings, std::move(findings));
  if (callbacks.on_finding) {
    for (const base::Finding& finding : dataset.summary.findings) callbacks.on_finding(finding);
  }
  return {.samples = std::move(dataset.samples),
          .split = std::move(split.split),
          .reader = reader,
          .mapping = std::move(dataset.mapping),
          .normalisation = std::move(measured.normalisation),
          .summary = std::move(dataset.summary)};
}

}  // namespace headroom::app
