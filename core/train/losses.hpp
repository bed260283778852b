#pragma once
// Losses of segmentation with labels that are ignored: cross-entropy, soft Dice, and their sum.
// They keep one tensor of probabilities between forward and backward, never a one-hot copy of the
// labels nor a second copy of the logits. Worker thread.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/base/settings.hpp"

namespace headroom::train {

/// What cross-entropy and Dice need to know of any number of pixels; ignored ones are left out. The
/// sums of several tiles add up, so that a validation set is measured as one batch.
class LossSums {
 public:
  explicit LossSums(std::int64_t classes);

  LossSums& operator+=(const LossSums& other);
  /// Pixels that count.
  [[nodiscard]] std::int64_t pixels() const;
  /// The loss that these sums give; 0 when no pixel counts.
  [[nodiscard]] double loss(base::LossKind kind) const;

 private:
  friend LossSums loss_sums(const at::Tensor& logits, const at::Tensor& labels);

  std::vector<double> values_;  ///< in the order of loss_kernels.hpp
};

/// Loss of `logits` [n, k, h, w] (fp32, bf16 or fp64; any strides) for `labels` [n, h, w] uint8,
/// where base::kIgnoreLabel counts nowhere. Returns a scalar on the logits' device (fp64 for fp64
/// logits, else fp32), differentiable once with respect to the logits, whose gradient has their
/// type and memory format. The graph does not hold the logits: hand them over with std::move.
///
/// Cross-entropy is the mean over the pixels that count. Dice is 1 - mean over classes, background
/// included, of (2 I + s) / (P + T + s), with I, P and T summed over the pixels of the batch and s
/// = 1e-5: Milletari et al. 2016, V-Net, equation 3, without the squares in the denominator and
/// over the batch, as in nnU-Net v2's "batch Dice" (Isensee et al. 2021). `ce_dice` is their sum. A
/// batch without a pixel that counts has loss 0 and gradient 0.
///
/// On the CPU the same input gives the same bits whatever the number of threads. Throws base::Error
/// (internal) when shapes or types do not match, and on the CPU where a label is neither a class
/// nor ignored.
[[nodiscard]] at::Tensor segmentation_loss(at::Tensor logits, const at::Tensor& labels,
                                           base::LossKind kind);

/// The sums of `logits` and `labels` (as above), without a graph.
[[nodiscard]] LossSums loss_sums(const at::Tensor& logits, const at::Tensor& labels);

}  // namespace headroom::train
