#include "app/dataset_scan.hpp"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace headroom::app {

namespace {

std::optional<formats::SliceAxis> slice_axis_of(base::SliceAxisChoice choice) {
  switch (choice) {
    case base::SliceAxisChoice::i:
      return formats::SliceAxis::i;
    case base::SliceAxisChoice::j:
      return formats::SliceAxis::j;
    case base::SliceAxisChoice::k:
      return formats::SliceAxis::k;
    case base::SliceAxisChoice::automatic:
      break;
  }
  return std::nullopt;
}

}  // namespace

ProgressState progress_of(const formats::ScanProgress& scan) {
  return make_progress("reading samples", scan.samples_done, scan.samples, scan.share_of_next);
}

std::int64_t idle_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

formats::Dataset scan_folder(const std::filesystem::path& folder,
                             const base::DataSettings& settings,
                             const ScanProgressFunction& on_progress, std::stop_token stop) {
  return formats::scan_dataset({.folder = folder,
                                .layout = settings.layout,
                                .mapping_file = settings.mapping,
                                .ignore_value = settings.ignore,
                                .missing_masks = settings.missing_masks,
                                .slice_axis = slice_axis_of(settings.slice_axis),
                                .threads = idle_cores()},
                               on_progress, std::move(stop));
}

std::shared_ptr<data::SampleCache> make_cache(const formats::Dataset& dataset,
                                              std::int64_t max_bytes) {
  return std::make_shared<data::SampleCache>(dataset.samples, formats::make_sample_reader(dataset),
                                             max_bytes);
}

}  // namespace headroom::app
