#include "app/dataset_scan.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace headroom::app {

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
                                .threads = idle_cores()},
                               on_progress, std::move(stop));
}

std::shared_ptr<data::SampleCache> make_cache(const formats::Dataset& dataset,
                                              std::int64_t max_bytes) {
  return std::make_shared<data::SampleCache>(dataset.samples, formats::make_sample_reader(dataset),
                                             max_bytes);
}

}  // namespace headroom::app
