#pragma once
// What engine_figures measures. Each part runs on the main thread, after install_runtime(), and
// throws base::Error where a step cannot run.

#include <cstdint>

#include "core/base/settings.hpp"
#include "tools/engine_figures/figure.hpp"

namespace headroom {

struct PartOptions {
  std::int64_t threads = 2;
  bool is_quick = false;  ///< few repeats on small input: shows that a part works
};

/// levels 5, base 32, 3x256x256, batch 2, channels-last, cross-entropy, on the CPU.
[[nodiscard]] base::Settings reference_settings(const PartOptions& options);

/// With no region active: what a saved tensor takes under the checkpointing engine above LibTorch's
/// own, and an allocation with its free by the meter above LibTorch's own allocator, each times how
/// many a step of Keep has, as a share of that step; fp32 and bf16. What the meter takes in all,
/// its allocator included, is a figure of its own.
[[nodiscard]] Figures measure_costs(const PartOptions& options);

/// Live bytes after 500 steps with random plans of three policies, less those after the first.
[[nodiscard]] Figures measure_leak(const PartOptions& options);

/// At 1024x1024, batch 1: how much of what the tensor peak falls below Keep's the process's
/// resident peak falls too.
[[nodiscard]] Figures measure_resident(const PartOptions& options);

/// Highest ratio of the bytes taken from the system to the tensor peak, over many plans.
[[nodiscard]] Figures measure_reserved(const PartOptions& options);

}  // namespace headroom
