#pragma once
// Which device a run computes on and how much of its memory it may use.

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

#include "core/memory/cuda_meter.hpp"

namespace headroom::train {

/// Reads auto, cpu, cuda or cuda:N. `auto` is the first GPU when one can be used, else the CPU.
/// Throws base::Error (usage) naming the text and, for a GPU that is not there, why.
[[nodiscard]] c10::Device resolve_device(const std::string& text);

/// "CPU, 2 threads", "CUDA device 0".
[[nodiscard]] std::string describe(c10::Device device);

struct DeviceMemory {
  std::int64_t available_bytes = 0;  ///< now, for this process (a container's limit included)
  std::int64_t total_bytes = 0;
};

[[nodiscard]] DeviceMemory memory_of(c10::Device device);

/// Who holds how much of it now. On a CPU used and others are the machine's.
[[nodiscard]] memory::DeviceUse use_of(c10::Device device);

/// Throws base::Error (usage) for a device that is none of CUDA's.
[[nodiscard]] memory::CudaMeter& cuda_meter_of(c10::Device device);

/// The budget in bytes: `requested`, or for 0 a share of what is available now (CPU 70 %, GPU 95
/// %). Throws base::Error (usage) when `requested` is negative or above the device's memory.
[[nodiscard]] std::int64_t resolve_budget(std::int64_t requested, c10::Device device);

}  // namespace headroom::train
