#include "app/training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "app/dataset_split.hpp"
#include "core/base/ct_window.hpp"
#include "core/data/class_positions.hpp"
#include "core/data/normalisation.hpp"
#include "core/formats/tile_augmenter.hpp"

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

/// The schema has accepted the text.
base::CtWindow ct_window(const base::DataSettings& settings) {
  return base::parse_ct_window(settings.window).value_or(base::CtWindow{});
}

std::vector<base::Finding> judge_positions(const data::ClassPositions& positions, double share) {
  const bool has_foreground = std::ranges::any_of(positions | std::views::drop(1),
                                                  [](const auto& found) { return !found.empty(); });
  if (has_foreground) return {};
  return {{.severity = base::Severity::warning,
           .code = "no-foreground",
           .file = {},
           .message = fmt::format("no training image holds a class other than the first: "
                                  "--foreground {} has no effect",
                                  share)}};
}

}  // namespace

train::TrainingData load_training_data(const std::filesystem::path& folder,
                                       const base::Settings& settings,
                                       const LoadingCallbacks& callbacks, std::stop_token stop) {
  train::TrainingData prepared =
      prepare_training_data(scan_folder(folder, settings.data, callbacks.on_progress, stop),
                            settings, callbacks.on_progress, stop);
  const std::vector<base::Finding>& findings = prepared.summary.findings;
  if (callbacks.on_finding) std::for_each(findings.begin(), findings.end(), callbacks.on_finding);
  return prepared;
}

train::TrainingData prepare_training_data(formats::Dataset dataset, const base::Settings& settings,
                                          const ScanProgressFunction& on_progress,
                                          std::stop_token stop) {
  formats::require_usable(dataset.summary);
  std::vector<base::Finding>& findings = dataset.summary.findings;
  data::SplitResult split = split_dataset(dataset, settings, on_progress, stop);
  findings.push_back(split_sizes(split.split));
  append(findings, std::move(split.findings));

  auto samples = make_cache(dataset, settings.data.cache_bytes);
  data::NormalisationResult measured =
      data::measure_normalisation(*samples, split.split.train,
                                  {.mode = settings.data.normalise,
                                   .window = ct_window(settings.data),
                                   .channels = dataset.summary.channels,
                                   .threads = idle_cores()},
                                  stop);
  append(findings, std::move(measured.findings));
  data::ClassPositions positions;
  if (settings.train.foreground > 0) {
    positions = data::find_class_positions(
        *samples, split.split.train,
        {.classes = dataset.mapping.classes(), .threads = idle_cores()}, stop);
    append(findings, judge_positions(positions, settings.train.foreground));
  }
  return {.samples = std::move(samples),
          .split = std::move(split.split),
          .mapping = std::move(dataset.mapping),
          .normalisation = std::move(measured.normalisation),
          .positions = std::move(positions),
          .augmenter = formats::make_tile_augmenter(),
          .summary = std::move(dataset.summary)};
}

}  // namespace headroom::app
