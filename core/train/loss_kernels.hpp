#pragma once
// The passes over pixels behind losses.hpp, for the CPU as own loops and for any device with
// LibTorch's operations. No graph, no checks of shapes: losses.cpp does both.
//
// Sums are an fp64 tensor [2 + 3 k] on the logits' device:
//   0: sum over pixels of -log(probability of the true class); 1: pixels that count;
//   then by class: I (its probability where it is true), P (its probability), T (pixels where it is
//   true).
// Gradient coefficients are an fp64 tensor [1 + 2 k]: the weight w of cross-entropy, then by class
// a and b, the derivative of the Dice part with respect to the probability of class c at a pixel
// being b[c], plus a[c] where c is the true class.

#include <ATen/core/Tensor.h>

namespace headroom::train {

/// logits [n, k, h, w], labels [n, h, w] contiguous uint8. Fills `probabilities` (the logits'
/// shape, fp32 or fp64; 0 at pixels that are ignored) where it is defined, and returns the sums.
/// Throws base::Error (internal) on a label that is neither a class nor ignored.
[[nodiscard]] at::Tensor cpu_loss_forward(const at::Tensor& logits, const at::Tensor& labels,
                                          const at::Tensor& probabilities);
/// Fills `gradient` (the logits' shape and type).
void cpu_loss_backward(const at::Tensor& probabilities, const at::Tensor& labels,
                       const at::Tensor& coefficients, const at::Tensor& gradient);

/// The same for any device. A label that is no class counts as a pixel whose true class is none.
[[nodiscard]] at::Tensor device_loss_forward(const at::Tensor& logits, const at::Tensor& labels,
                                             const at::Tensor& probabilities);
void device_loss_backward(const at::Tensor& probabilities, const at::Tensor& labels,
                          const at::Tensor& coefficients, const at::Tensor& gradient);

}  // namespace headroom::train
