#pragma once
// The meter of one CUDA device: the caching allocator's own counts. What the driver and other
// processes hold is not in them: see CudaDevice::memory().

#include <cstdint>
#include <memory>

#include "core/memory/cuda_device.hpp"
#include "core/memory/meter.hpp"

namespace headroom::memory {

class CudaMeter final : public MemoryMeter {
 public:
  explicit CudaMeter(std::unique_ptr<CudaDevice> device) : device_(std::move(device)) {}

  void begin_window() override;
  /// Bytes by stage are not known here: at_peak_by_stage stays 0.
  [[nodiscard]] MeterReading reading() const override;
  void set_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t budget() const override { return budget_bytes_; }
  void release_cached() override { device_->release_cached(); }

  [[nodiscard]] const CudaDevice& device() const { return *device_; }

 private:
  std::unique_ptr<CudaDevice> device_;
  std::int64_t live_before_bytes_ = 0;
  std::int64_t budget_bytes_ = 0;
};

}  // namespace headroom::memory
