#include "core/data/cached_batch_source.hpp"

#include "core/base/interruption.hpp"

namespace headroom::data {

CachedBatchSource::CachedBatchSource(BatchSource& source, std::stop_token stop)
    : batch_(source.batch(0, stop)), batches_per_epoch_(source.batches_per_epoch()) {}

HostBatch CachedBatchSource::do_batch(std::int64_t index, std::stop_token stop) {
  static_cast<void>(index);
  base::throw_if_stopped(stop, "handing out a batch");
  return batch_;
}

}  // namespace headroom::data
