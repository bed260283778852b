#include "core/memory/cuda_meter.hpp"

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

void CudaMeter::set_budget(std::int64_t bytes) {
  device_->set_budget(bytes);
  budget_bytes_ = bytes;
}

}  // namespace headroom::memory
