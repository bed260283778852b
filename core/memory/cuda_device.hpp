// What the program asks of one CUDA device: its memory, the allocator's count, a budget.
// libheadroom_cuda.so implements it, so that the program itself needs no CUDA library;
// cuda_loader.hpp hands it out. Owned by the caller of the loader. Any thread may call it.
#pragma once

#include <cstdint>
#include <string>

namespace headroom::memory {

/// Device memory as the driver sees it, the bytes of other processes included.
struct CudaMemory {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;
};

/// LibTorch's own count for one device: bytes in live tensors, and bytes taken from the driver.
struct CudaAllocatorCount {
  std::int64_t allocated_bytes = 0;
  std::int64_t peak_allocated_bytes = 0;
  std::int64_t reserved_bytes = 0;
  std::int64_t peak_reserved_bytes = 0;
};

/// All but the destructor may throw c10::Error when the driver fails.
struct CudaDevice {
  virtual ~CudaDevice() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual CudaMemory memory() const = 0;
  [[nodiscard]] virtual CudaAllocatorCount count() const = 0;
  /// The peaks start again at what is live now.
  virtual void reset_peaks() = 0;
  /// Bytes that LibTorch may take from the driver; beyond them an allocation throws
  /// c10::OutOfMemoryError. 0: no limit.
  virtual void set_budget(std::int64_t bytes) = 0;
  /// From here on every allocation and free is remembered, with the call that made it, the latest
  /// `most_events` of them; what was remembered before is forgotten.
  virtual void begin_history(std::int64_t most_events) = 0;
  /// Ends it. Returns the memory and the history as the file that PyTorch's memory viewer
  /// (pytorch.org/memory_viz) opens: a pickle.
  [[nodiscard]] virtual std::string end_history() = 0;
  /// Gives unused blocks back to the driver.
  virtual void release_cached() = 0;
};

}  // namespace headroom::memory

extern "C" {
/// Devices that can be used; 0 without a working driver. Never throws.
int headroom_cuda_device_count();
/// A new object that the caller owns; null when there is no such device or it cannot be used. Never
/// throws.
headroom::memory::CudaDevice* headroom_cuda_device(int index);
}
