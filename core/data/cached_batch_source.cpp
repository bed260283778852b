#include "core/data/cached_batch_source.hpp"

#include "core/base/error.hpp"

namespace headroom::data {

CachedBatchSource::CachedBatchSource(BatchSource& source, std::stop_token stop)
    : batch_(source.batch(0, stop)), batches_per_epoch_(source.batches_per_epoch()) {}

HostBatch CachedBatchSource::do_batch(std::int64_t index, std::stop_token stop) {
  static_cast<void>(index);
  if (stop.stop_requested()) {
    throw base::Error(base::ErrorKind::interrupted,
                      {"handing out a batch", "it was stopped", "start it again"});
  }
  return batch_;
}

}  // namespace headroom::data
