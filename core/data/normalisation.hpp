#pragma once
// Statistics of the training side that pixels are normalised with. Called once before training; any
// one thread.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/ct_window.hpp"
#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/data/sample_cache.hpp"

namespace headroom::data {

struct NormalisationResult {
  Normalisation normalisation{};
  std::vector<base::Finding> findings{};
};

struct NormalisationOptions {
  base::Normalise mode = base::Normalise::zscore;
  base::CtWindow window{};  ///< for ct_window
  std::int64_t channels = 3;
  std::int64_t threads = 1;  ///< that decode and count; the result does not depend on it
};

/// Measures each band over the samples `chosen`, whose images stay in `cache` as far as they fit.
/// NaN, infinite and nodata values do not count. zscore: mean and standard deviation; minmax: to
/// [0, 1]; percentile: the 1st and 99th to 0 and 1 (exact for 8 and 16 bits; of evenly spaced
/// pixels, about a million in all, otherwise); ct_window: the window's ends to 0 and 1, values
/// beyond them cut, and a warning where all values of a band lie on one side of it; none: values as
/// they are, nothing is read. A band without spread gets scale 1 and a warning. Throws Error
/// (interrupted) on stop, and what the reader throws.
[[nodiscard]] NormalisationResult measure_normalisation(SampleCache& cache,
                                                        const std::vector<std::int64_t>& chosen,
                                                        const NormalisationOptions& options,
                                                        std::stop_token stop);

}  // namespace headroom::data
