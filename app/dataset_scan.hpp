#pragma once
// From a folder to its samples: core/formats scans, core/data reads. Any one thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "app/progress.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample_cache.hpp"
#include "core/formats/scan.hpp"

namespace headroom::app {

using ScanProgressFunction = std::function<void(const formats::ScanProgress&)>;

[[nodiscard]] ProgressState progress_of(const formats::ScanProgress& scan);

/// Threads for work before training, when all cores are free.
[[nodiscard]] std::int64_t idle_cores();

/// Scans; findings and all. `on_progress` may be empty. Throws base::Error: unusable_data where
/// there is nothing to list, interrupted on stop.
[[nodiscard]] formats::Dataset scan_folder(const std::filesystem::path& folder,
                                           const base::DataSettings& settings,
                                           const ScanProgressFunction& on_progress,
                                           std::stop_token stop);

/// The data set's samples, read through its mapping.
[[nodiscard]] std::shared_ptr<data::SampleCache> make_cache(const formats::Dataset& dataset,
                                                            std::int64_t max_bytes);

}  // namespace headroom::app
