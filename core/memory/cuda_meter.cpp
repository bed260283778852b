#include "core/memory/cuda_meter.hpp"

#include <algorithm>

namespace headroom::memory {

void CudaMeter::begin_window() {
  device_->reset_peaks();
  live_before_bytes_ = device_->count().allocated_bytes;
}

MeterReading CudaMeter::reading() const {
  const CudaAllocatorCount count = device_->count();
  MeterReading reading;
  reading.live_bytes = count.allocated_bytes;
  reading.live_before_bytes = live_before_bytes_;
  reading.peak_bytes = count.peak_allocated_bytes;
  reading.reserved_bytes = count.reserved_bytes;
  reading.peak_reserved_bytes = count.peak_reserved_bytes;
  return reading;
}

DeviceUse CudaMeter::use() const {
  const CudaAllocatorCount count = device_->count();
  const CudaMemory memory = device_->memory();
  const std::int64_t used = memory.total_bytes - memory.free_bytes;
  return {.allocated_bytes = count.allocated_bytes,
          .reserved_bytes = count.reserved_bytes,
          .used_bytes = used,
          .others_bytes = std::max<std::int64_t>(0, used - count.reserved_bytes)};
}

void CudaMeter::set_budget(std::int64_t bytes) {
  device_->set_budget(bytes);
  budget_bytes_ = bytes;
}

}  // namespace headroom::memory
