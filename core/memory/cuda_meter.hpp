#pragma once
// The meter of one CUDA device: the caching allocator's own counts. What the driver and other
// processes hold is not in them: see CudaDevice::memory().

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/memory/cuda_device.hpp"
#include "core/memory/meter.hpp"

namespace headroom::memory {

/// The memory of a device in four numbers that are not each other's parts by name alone.
struct DeviceUse {
  std::int64_t allocated_bytes = 0;  ///< in tensors of this process
  std::int64_t reserved_bytes = 0;   ///< taken by its allocator, what lies free in it included
  std::int64_t used_bytes = 0;       ///< of the device, by whomever
  /// Used and not reserved here: other programs, and the driver's own share of this one (a GPU's
  /// context, some hundred MiB).
  std::int64_t others_bytes = 0;
};

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
  [[nodiscard]] DeviceUse use() const;
  /// As CudaDevice has them.
  void begin_history(std::int64_t most_events) { device_->begin_history(most_events); }
  [[nodiscard]] std::string end_history() { return device_->end_history(); }

 private:
  std::unique_ptr<CudaDevice> device_;
  std::int64_t live_before_bytes_ = 0;
  std::int64_t budget_bytes_ = 0;
};

}  // namespace headroom::memory
