#pragma once
// Norm and ReLU by given statistics as one pass over the CPU's memory, and its gradient as two.
// With s = weight / deviation, a channel's result is max(0, s x + (bias - mean s)); it saves x
// alone, as what is above 0 is found again from it. The gradient is batch norm's (Ioffe and Szegedy
// 2015) of the gradient where the result is above 0. No graph; called by norm.cpp.

#include <ATen/core/Tensor.h>

namespace headroom::models {

/// Of one channel each, fp32 [c].
struct NormMap {
  at::Tensor scale, shift;
};

/// Where the kernels know x [n, c, h, w]: on the CPU, fp32 or bf16, dense in either memory format.
[[nodiscard]] bool has_norm_act_kernels(const at::Tensor& x);

/// Of x's type and strides.
[[nodiscard]] at::Tensor norm_act(const at::Tensor& x, const NormMap& map);

/// fp64 [2, c]: the sum of the gradient where the result is above 0, and the sum of that times
/// x - mean. `gradient` has x's type and strides.
[[nodiscard]] at::Tensor norm_act_gradient_sums(const at::Tensor& gradient, const at::Tensor& x,
                                                const NormMap& map, const at::Tensor& mean);

/// What the gradient with respect to x takes from the sums, fp32 [c] each.
struct GradientMap {
  at::Tensor mean;      ///< of x
  at::Tensor constant;  ///< the first sum by pixel
  at::Tensor slope;     ///< the second by pixel, over the variance
};

/// scale (gradient where the result is above 0 - constant - slope (x - mean)).
[[nodiscard]] at::Tensor norm_act_input_gradient(const at::Tensor& gradient, const at::Tensor& x,
                                                 const NormMap& map, const GradientMap& from);

}  // namespace headroom::models
