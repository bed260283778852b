#pragma once
// From a folder to what a training reads: scanned, split, measured. Worker thread.

#include <filesystem>
#include <functional>
#include <stop_token>

#include "app/dataset_scan.hpp"
#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/train/training_session.hpp"

namespace headroom::app {

struct LoadingCallbacks {
  ScanProgressFunction on_progress{};
  std::function<void(const base::Finding&)> on_finding{};  ///< each finding of a usable data set
};

/// Throws base::Error: unusable_data naming the first file with an error-level finding; usage for a
/// split or mapping that cannot be used; interrupted on stop.
[[nodiscard]] train::TrainingData load_training_data(const std::filesystem::path& folder,
                                                     const base::Settings& settings,
                                                     const LoadingCallbacks& callbacks,
                                                     std::stop_token stop);

/// The same of a folder that was scanned, and not split yet. `on_progress` may be empty.
[[nodiscard]] train::TrainingData prepare_training_data(formats::Dataset dataset,
                                                        const base::Settings& settings,
                                                        const ScanProgressFunction& on_progress,
                                                        std::stop_token stop);

}  // namespace headroom::app
