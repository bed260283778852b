#pragma once
// From a folder to what a training or an evaluation reads: core/formats scans, core/data splits and
// measures, core/train receives. Any one thread.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/formats/scan.hpp"
#include "core/train/training_session.hpp"

namespace headroom::app {

using ScanProgressFunction = std::function<void(const formats::ScanProgress&)>;
using FindingFunction = std::function<void(const base::Finding&)>;

/// Options of a scan of `folder` under these settings.
[[nodiscard]] formats::ScanOptions scan_options(const std::filesystem::path& folder,
                                                const base::DataSettings& settings);

struct LoadingCallbacks {
  ScanProgressFunction on_progress{};
  FindingFunction on_finding{};  ///< every finding of scan, split and statistics; the error that
                                 ///< ends loading is not among them
};

/// Throws base::Error: unusable_data naming the first file with an error-level finding; usage for a
/// split or mapping that cannot be used; interrupted on stop.
[[nodiscard]] train::TrainingData load_training_data(const std::filesystem::path& folder,
                                                     const base::Settings& settings,
                                                     const LoadingCallbacks& callbacks,
                                                     std::stop_token stop);

}  // namespace headroom::app
