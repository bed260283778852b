#include "core/memory/cuda_device.hpp"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/cuda/memory_snapshot.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;
using headroom::memory::CudaAllocatorCount;
using headroom::memory::CudaDevice;
using headroom::memory::CudaMemory;

/// The sum over LibTorch's pools of small and large blocks.
constexpr auto kAllPools = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

class RuntimeDevice final : public CudaDevice {
 public:
  explicit RuntimeDevice(c10::DeviceIndex index) : index_(index) {
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties_, index_));
  }

  [[nodiscard]] std::string name() const override { return properties_.name; }

  [[nodiscard]] CudaMemory memory() const override {
    const auto [free, total] = allocator::get()->getMemoryInfo(index_);
    return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
  }

  [[nodiscard]] CudaAllocatorCount count() const override {
    const auto stats = allocator::getDeviceStats(index_);
    const auto& allocated = stats.allocated_bytes[kAllPools];
    const auto& reserved = stats.reserved_bytes[kAllPools];
    return {allocated.current, allocated.peak, reserved.current, reserved.peak};
  }

  void reset_peaks() override { allocator::resetPeakStats(index_); }

  void set_budget(std::int64_t bytes) override {
    const auto total = static_cast<double>(memory().total_bytes);
    const double fraction = bytes > 0 ? static_cast<double>(bytes) / total : 1.0;
    allocator::setMemoryFraction(std::min(fraction, 1.0), index_);
  }

  void begin_history(std::int64_t most_events) override {
    set_history("all", static_cast<std::size_t>(most_events));
  }

  [[nodiscard]] std::string end_history() override {
    std::string snapshot = torch::cuda::_memory_snapshot_pickled();
    set_history(std::nullopt, 1);
    return snapshot;
  }

  void release_cached() override { allocator::emptyCache(); }

 private:
  /// Nothing: none is kept. What was kept before is dropped.
  static void set_history(std::optional<std::string> kept, std::size_t most_events) {
    torch::cuda::_record_memory_history(std::move(kept), /*context=*/"all", /*stacks=*/"all",
                                        most_events, /*clearHistory=*/true);
  }

  c10::DeviceIndex index_;
  cudaDeviceProp properties_{};
};

}  // namespace

int headroom_cuda_device_count() {
  // The count of LibTorch logs a warning where there is a library but no device; this one is
  // silent.
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

CudaDevice* headroom_cuda_device(int index) {
  const int devices = headroom_cuda_device_count();
  if (index < 0 || index >= devices) return nullptr;
  try {
    // The allocator counts only for devices it knows; LibTorch's own start-up repeats this without
    // harm.
    allocator::init(devices);
    return new RuntimeDevice(static_cast<c10::DeviceIndex>(index));
  } catch (const std::exception&) {
    return nullptr;
  }
}
