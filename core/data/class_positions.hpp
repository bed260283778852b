#pragma once
// Where the classes lie in the training images, so that a tile that shows a class is found at once.
// Measured once before training; a value then, any thread.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/data/sample.hpp"
#include "core/data/sample_cache.hpp"

namespace headroom::data {

/// Some pixels of one class in one sample.
struct PositionsInSample {
  std::int64_t sample = 0;             ///< index into the cache's samples
  std::vector<std::int64_t> pixels{};  ///< row-major; not empty
};

/// [class]: the samples that hold it. Empty where nothing was looked for.
using ClassPositions = std::vector<std::vector<PositionsInSample>>;

struct ClassPositionOptions {
  std::int64_t classes = 2;
  std::int64_t threads = 1;  ///< that decode and look; the result does not depend on it
};

/// Up to 64 pixels of each class in each of the samples `chosen`, every pixel of the class equally
/// likely to be among them (the ones of lowest hash: bottom-k sampling, Cohen and Kaplan, PODC
/// 2007). A function of the labels and of `chosen`. Reads every chosen sample through the cache;
/// throws Error (interrupted) on stop, and what the reader throws.
[[nodiscard]] ClassPositions find_class_positions(SampleCache& cache,
                                                  const std::vector<std::int64_t>& chosen,
                                                  const ClassPositionOptions& options,
                                                  std::stop_token stop);

}  // namespace headroom::data
