#pragma once
// The process-wide parts of the memory layer: the CUDA side where a driver is, the metering CPU
// allocator, the checkpointing autograd engine. LibTorch knows one allocator and one engine for a
// process, so these live from install_runtime() to the end.

#include <string>
#include <vector>

#include "core/memory/cuda_meter.hpp"

namespace headroom::memory {

/// Called once, first thing, by `main` and by the tests' main, before any tensor exists and before
/// anything asks LibTorch about CUDA (seeding is such a question). A second call does nothing.
void install_runtime();

/// One meter for each CUDA device that can be used; empty where there is none.
[[nodiscard]] const std::vector<std::unique_ptr<CudaMeter>>& cuda_meters();
/// Why there is none, as a sentence for people; empty where there is one.
[[nodiscard]] const std::string& why_no_cuda();

}  // namespace headroom::memory
