#pragma once
// Training batches, built ahead by loader threads. The worker owns it and asks for batches; loaders
// never touch tensors.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/data/batch.hpp"
#include "core/data/training_tiles.hpp"

namespace headroom::data {

struct PrefetchOptions {
  std::int64_t batch = 2;           ///< tiles per micro-batch
  std::int64_t loader_threads = 1;  ///< 0: batches are built in the caller's thread
};

/// Training tiles as batches. Batch k is a function of the tiles and k alone, whatever the number
/// of threads. At most 2 * loader_threads + 2 batches wait finished or half finished.
class Prefetcher final : public BatchSource {
 public:
  Prefetcher(TrainingTiles tiles, const PrefetchOptions& options);
  ~Prefetcher() override;
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

 private:
  struct Finished {
    HostBatch batch{};
    std::exception_ptr failure{};
  };

  [[nodiscard]] HostBatch do_batch(std::int64_t index, std::stop_token stop) override;
  [[nodiscard]] std::int64_t do_batches_per_epoch() const override;

  [[nodiscard]] HostBatch build(std::int64_t index, const std::stop_token& stop) const;
  [[nodiscard]] Finished build_catching(std::int64_t index, const std::stop_token& stop) const;
  void load(const std::stop_token& stop);

  const TrainingTiles tiles_;
  const PrefetchOptions options_;
  const std::int64_t most_ahead_;

  std::mutex mutex_;  ///< guards the members up to the threads
  std::condition_variable_any room_;
  std::condition_variable_any ready_;
  std::map<std::int64_t, Finished> finished_;
  std::int64_t wanted_ = 0;      ///< next batch the worker is expected to ask for
  std::int64_t next_ = 0;        ///< next batch that a loader takes
  std::int64_t generation_ = 0;  ///< counts restarts; what was begun before one is dropped
  std::vector<std::jthread> loaders_;
};

}  // namespace headroom::data
