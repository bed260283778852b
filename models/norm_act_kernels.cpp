#include "models/norm_act_kernels.hpp"

#include <ATen/Functions.h>
#include <ATen/Version.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/train/chunks.hpp"
#include "models/norm_act_loops.hpp"

namespace headroom::models {
namespace {

/// Values of one unit of work. It decides the last bits of sums; threads do not.
constexpr std::int64_t kChunkValues = 32768;

NormActLoops loops() {
  // The capability is LibTorch's own, so that ATEN_CPU_CAPABILITY applies here too.
  static const bool has_avx2 = at::get_cpu_capability().starts_with("AVX");
  return has_avx2 ? avx2_norm_act_loops() : baseline_norm_act_loops();
}

/// A dense tensor's rows, in chunks.
struct Chunks {
  explicit Chunks(const at::Tensor& x) {
    rows.type = x.scalar_type() == at::kBFloat16 ? ValueType::bf16 : ValueType::fp32;
    rows.channels_last = x.is_contiguous(at::MemoryFormat::ChannelsLast);
    rows.channels = x.size(1);
    rows.length = rows.channels_last ? rows.channels : x.size(2) * x.size(3);
    rows.end = rows.channels_last ? x.size(0) * x.size(2) * x.size(3) : x.size(0) * rows.channels;
    per_chunk = std::max<std::int64_t>(1, kChunkValues / std::max<std::int64_t>(1, rows.length));
    count = (rows.end + per_chunk - 1) / per_chunk;
  }
  [[nodiscard]] RowRange of(std::int64_t chunk) const {
    RowRange part = rows;
    part.begin = chunk * per_chunk;
    part.end = std::min(rows.end, part.begin + per_chunk);
    return part;
  }

  RowRange rows;
  std::int64_t per_chunk = 1, count = 0;
};

const float* floats_of(const at::Tensor& tensor) { return tensor.const_data_ptr<float>(); }

ChannelFactors factors_of(const NormMap& map) {
  return {.scale = floats_of(map.scale), .shift = floats_of(map.shift)};
}

}  // namespace

bool has_norm_act_kernels(const at::Tensor& x) {
  return x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16) &&
         (x.is_contiguous() || x.is_contiguous(at::MemoryFormat::ChannelsLast));
}

at::Tensor norm_act(const at::Tensor& x, const NormMap& map) {
  const Chunks chunks(x);
  at::Tensor result = at::empty_like(x);
  const void* from = x.const_data_ptr();
  void* to = result.mutable_data_ptr();
  const ChannelFactors factors = factors_of(map);
  const NormActLoops loop = loops();
  train::for_each_chunk(chunks.count,
                        [&](std::int64_t chunk) { loop.map(chunks.of(chunk), from, to, factors); });
  return result;
}

at::Tensor norm_act_gradient_sums(const at::Tensor& gradient, const at::Tensor& x,
                                  const NormMap& map, const at::Tensor& mean) {
  const Chunks chunks(x);
  const void *outer = gradient.const_data_ptr(), *from = x.const_data_ptr();
  ChannelFactors factors = factors_of(map);
  factors.mean = floats_of(mean);
  const NormActLoops loop = loops();
  const std::int64_t values = 2 * chunks.rows.channels;
  std::vector<double> partial(static_cast<std::size_t>(chunks.count * values));
  train::for_each_chunk(chunks.count, [&](std::int64_t chunk) {
    std::vector<float> scratch(static_cast<std::size_t>(values));
    loop.add_gradient(chunks.of(chunk), outer, from, factors, partial.data() + chunk * values,
                      scratch.data());
  });
  at::Tensor sums = at::zeros({2, chunks.rows.channels}, at::kDouble);
  auto* total = sums.mutable_data_ptr<double>();
  for (std::size_t i = 0; i < partial.size(); ++i) {
    total[i % static_cast<std::size_t>(values)] += partial[i];
  }
  return sums;
}

at::Tensor norm_act_input_gradient(const at::Tensor& gradient, const at::Tensor& x,
                                   const NormMap& map, const GradientMap& from) {
  const Chunks chunks(x);
  at::Tensor result = at::empty_like(x);
  const void *outer = gradient.const_data_ptr(), *values = x.const_data_ptr();
  void* to = result.mutable_data_ptr();
  ChannelFactors factors = factors_of(map);
  factors.mean = floats_of(from.mean);
  factors.constant = floats_of(from.constant);
  factors.slope = floats_of(from.slope);
  const NormActLoops loop = loops();
  train::for_each_chunk(chunks.count, [&](std::int64_t chunk) {
    loop.map_gradient(chunks.of(chunk), outer, values, to, factors);
  });
  return result;
}

}  // namespace headroom::models
