#pragma once
// One batch handed out again and again: the same step with data that never waits, to compare with.
// One thread.

#include "core/data/batch.hpp"

namespace headroom::data {

/// Repeats batch 0 of another source; epochs are as long as the other's.
class CachedBatchSource final : public BatchSource {
 public:
  /// Asks `source` for its batch 0 at once.
  CachedBatchSource(BatchSource& source, std::stop_token stop);

 private:
  [[nodiscard]] HostBatch do_batch(std::int64_t index, std::stop_token stop) override;
  [[nodiscard]] std::int64_t do_batches_per_epoch() const override { return batches_per_epoch_; }

  HostBatch batch_;
  std::int64_t batches_per_epoch_;
};

}  // namespace headroom::data
