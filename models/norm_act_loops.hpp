#pragma once
// The loops of norm_act_kernels.hpp over raw memory, compiled for several instruction sets. No
// header with inline functions may come in here or in norm_act_loops.inc: the linker takes one copy
// of each for the whole program, and it could be the one that an older CPU cannot run.

#include <cstdint>

namespace headroom::models {

enum class ValueType { fp32, bf16 };

/// Rows of a dense tensor: a row is a pixel with its channels (channels-last) or a plane of one
/// channel (contiguous; row r has channel r modulo `channels`).
struct RowRange {
  ValueType type = ValueType::fp32;
  bool channels_last = false;
  std::int64_t channels = 0;
  std::int64_t length = 0;          ///< values of a row
  std::int64_t begin = 0, end = 0;  ///< rows
};

/// One of each per channel.
struct ChannelFactors {
  const float *scale = nullptr, *shift = nullptr, *mean = nullptr;
  const float *constant = nullptr, *slope = nullptr;
};

struct NormActLoops {
  void (*map)(const RowRange& rows, const void* x, void* result, const ChannelFactors& factors);
  /// Adds to sums [2, channels]; `scratch` [2, channels] is free to use.
  void (*add_gradient)(const RowRange& rows, const void* gradient, const void* x,
                       const ChannelFactors& factors, double* sums, float* scratch);
  void (*map_gradient)(const RowRange& rows, const void* gradient, const void* x, void* result,
                       const ChannelFactors& factors);
};

[[nodiscard]] NormActLoops baseline_norm_act_loops();
/// Of an x86-64 CPU with AVX2 and FMA; the baseline's where the program is built for another CPU.
[[nodiscard]] NormActLoops avx2_norm_act_loops();

}  // namespace headroom::models
