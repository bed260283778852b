#pragma once
// From a folder to what a training or an evaluation reads: core/formats scans, core/data splits and
// measures, core/train receives. Any one thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/progress.hpp"
#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample_cache.hpp"
#include "core/formats/scan.hpp"
#include "core/train/training_session.hpp"

namespace headroom::app {

struct LoadingCallbacks {
  std::function<void(const formats::ScanProgress&)> on_progress{};
  std::function<void(const base::Finding&)> on_finding{};  ///< each finding of a usable data set
};

[[nodiscard]] ProgressState progress_of(const formats::ScanProgress& scan);

/// Scans; findings and all. Throws base::Error: unusable_data where there is nothing to list,
/// interrupted on stop.
[[nodiscard]] formats::Dataset scan_folder(const std::filesystem::path& folder,
                                           const base::DataSettings& settings,
                                           const LoadingCallbacks& callbacks, std::stop_token stop);

/// The data set's samples, read through its mapping.
[[nodiscard]] std::shared_ptr<data::SampleCache> make_cache(const formats::Dataset& dataset,
                                                            std::int64_t max_bytes);

/// Throws base::Error: unusable_data naming the first file with an error-level finding; usage for a
/// split or mapping that cannot be used; interrupted on stop.
[[nodiscard]] train::TrainingData load_training_data(const std::filesystem::path& folder,
                                                     const base::Settings& settings,
                                                     const LoadingCallbacks& callbacks,
                                                     std::stop_token stop);

}  // namespace headroom::app
