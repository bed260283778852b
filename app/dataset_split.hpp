#pragma once
// From a scanned data set to the sides of a training, as the settings say. Any one thread.

#include <stop_token>

#include "app/dataset_scan.hpp"
#include "core/base/settings.hpp"
#include "core/data/split.hpp"

namespace headroom::app {

/// Splits `dataset`. The findings tell how it was split and which classes cannot be learned. Throws
/// base::Error: usage for a split that cannot be made, interrupted on stop.
[[nodiscard]] data::SplitResult split_dataset(formats::Dataset& dataset,
                                              const base::Settings& settings,
                                              const ScanProgressFunction& on_progress,
                                              std::stop_token stop);

}  // namespace headroom::app
