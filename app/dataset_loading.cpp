#include "app/dataset_loading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "core/data/normalisation.hpp"
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
          .file = {},
          .message = fmt::format("{} samples to train on, {} to validate on", split.train.size(),
                                 split.validation.size())};
}

}  // namespace

ProgressState progress_of(const formats::ScanProgress& scan) {
  return make_progress("reading samples", scan.samples_done, scan.samples);
}

formats::Dataset scan_folder(const std::filesystem::path& folder,
                             const base::DataSettings& settings, const LoadingCallbacks& callbacks,
                             std::stop_token stop) {
  return formats::scan_dataset({.folder = folder,
                                .layout = settings.layout,
                                .mapping_file = settings.mapping,
                                .ignore_value = settings.ignore,
                                .threads = idle_cores()},
                               callbacks.on_progress, std::move(stop));
}

std::shared_ptr<data::SampleCache> make_cache(const formats::Dataset& dataset,
                                              std::int64_t max_bytes) {
  return std::make_shared<data::SampleCache>(dataset.samples, formats::make_sample_reader(dataset),
                                             max_bytes);
}

train::TrainingData load_training_data(const std::filesystem::path& folder,
                                       const base::Settings& settings,
                                       const LoadingCallbacks& callbacks, std::stop_token stop) {
  formats::Dataset dataset = scan_folder(folder, settings.data, callbacks, stop);
  formats::require_usable(dataset.summary);
  std::vector<base::Finding>& findings = dataset.summary.findings;
  data::SplitResult split =
      data::make_split(dataset.samples, settings.data.split, settings.step.seed);
  findings.push_back(split_sizes(split.split));
  append(findings, std::move(split.findings));
  append(findings, data::find_unlearnable_classes(split.split, dataset.class_pixels,
                                                  dataset.mapping.class_names));

  auto samples = make_cache(dataset, settings.data.cache_bytes);
  data::NormalisationResult measured =
      data::measure_normalisation(*samples, split.split.train,
                                  {.mode = settings.data.normalise,
                                   .channels = dataset.summary.channels,
                                   .threads = idle_cores()},
                                  stop);
  append(findings, std::move(measured.findings));
  if (callbacks.on_finding) std::for_each(findings.begin(), findings.end(), callbacks.on_finding);
  return {.samples = std::move(samples),
          .split = std::move(split.split),
          .mapping = std::move(dataset.mapping),
          .normalisation = std::move(measured.normalisation),
          .summary = std::move(dataset.summary)};
}

}  // namespace headroom::app
