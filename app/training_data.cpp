#include "app/training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "app/dataset_split.hpp"
#include "core/data/normalisation.hpp"

namespace headroom::app {
namespace {

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

train::TrainingData load_training_data(const std::filesystem::path& folder,
                                       const base::Settings& settings,
                                       const LoadingCallbacks& callbacks, std::stop_token stop) {
  formats::Dataset dataset = scan_folder(folder, settings.data, callbacks.on_progress, stop);
  formats::require_usable(dataset.summary);
  std::vector<base::Finding>& findings = dataset.summary.findings;
  data::SplitResult split = split_dataset(dataset, settings, callbacks.on_progress, stop);
  findings.push_back(split_sizes(split.split));
  append(findings, std::move(split.findings));

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
