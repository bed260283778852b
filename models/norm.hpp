#pragma once
// Norm and ReLU of a stage as one callable that may be repeated in backward. Owned by its stage;
// worker thread.

#include <torch/nn/module.h>

#include <cstdint>

#include "core/base/settings.hpp"

namespace headroom::models {

/// What batch norm found in forward, [c] each; empty until then. A repeat takes it instead of
/// finding it again, so that it reads its input once.
struct BatchStatistics {
  at::Tensor mean, inverse_deviation;
};

class NormAct : public torch::nn::Module {
 public:
  NormAct(base::NormKind kind, std::int64_t channels);

  /// x [n, c, h, w] -> the same shape. In training mode, batch norm moves its running statistics,
  /// once a step however often it is repeated. `statistics` belong to one forward of x and its
  /// repeats: forward fills them.
  [[nodiscard]] at::Tensor forward(const at::Tensor& x, BatchStatistics& statistics);

  /// Values a channel's (instance norm) or group's statistics are made of, for x [n, c, h, w].
  [[nodiscard]] std::int64_t values_per_statistic(at::IntArrayRef sizes) const;

 private:
  [[nodiscard]] at::Tensor batch_norm(const at::Tensor& x);
  [[nodiscard]] BatchStatistics find_statistics(const at::Tensor& x);

  base::NormKind kind_;
  std::int64_t channels_, groups_ = 1;
  at::Tensor weight_, bias_;
  at::Tensor running_mean_, running_var_, num_batches_tracked_;  ///< batch norm only
};

}  // namespace headroom::models
