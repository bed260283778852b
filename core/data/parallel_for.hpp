#pragma once
// A loop over independent items on several threads. The caller takes part, so that it alone reports
// progress.

#include <cstdint>
#include <functional>
#include <stop_token>

namespace headroom::data {

struct ParallelOptions {
  std::int64_t threads = 1;  ///< the caller included
  std::stop_token stop{};
  /// Called in the caller's thread with the number of items done so far, at last with all of them.
  std::function<void(std::int64_t done)> progress{};
};

/// Calls work(i) for 0 … count - 1, each once, in any order. Of the exceptions thrown the one with
/// the lowest i is thrown again after all threads came to rest; no new items are begun after the
/// first. Throws Error (interrupted) on stop.
void parallel_for(std::int64_t count, const ParallelOptions& options,
                  const std::function<void(std::int64_t)>& work);

}  // namespace headroom::data
