#pragma once
// AdamW and SGD with momentum on LibTorch's fused kernels: one pass over weights, gradients and
// moments. All state is allocated when the optimizer is made, so that a step allocates nothing that
// stays and its state is part of what was live before the first step. Owned and called by the
// worker.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/settings.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

struct OptimizerOptions {
  base::OptimizerKind kind = base::OptimizerKind::adamw;
  /// Decoupled for AdamW (Loshchilov and Hutter 2019), added to the gradient for SGD. It applies to
  /// weights with more than one dimension only: not to biases nor to the scale and shift of norms.
  double weight_decay = 1e-2;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< AdamW
  double momentum = 0.9;                              ///< SGD
};

class Optimizer {
 public:
  /// `parameters` by name, dense in memory; they stay the same tensors for the optimizer's life.
  Optimizer(const std::vector<std::pair<std::string, at::Tensor>>& parameters,
            OptimizerOptions options);

  /// Frees all gradients.
  void zero_grad();
  /// L2 norm over all gradients, as a scalar tensor on their device.
  [[nodiscard]] at::Tensor gradient_norm() const;
  /// Scales all gradients by `factor`.
  void scale_gradients(double factor);
  /// One update with the gradients that are there; a parameter without one stays as it is. Where
  /// memory is refused nothing was updated.
  void step(double learning_rate);

  /// The state itself, not copies: moments by parameter name ("exp_avg.NAME", "exp_avg_sq.NAME" or
  /// "momentum.NAME") and "steps".
  [[nodiscard]] NamedTensors state() const;

 private:
  struct Group {
    double weight_decay = 0;
    std::vector<std::string> names{};
    std::vector<at::Tensor> parameters{};
    std::vector<at::Tensor> first{};   ///< exp_avg, or momentum
    std::vector<at::Tensor> second{};  ///< exp_avg_sq; empty for SGD
  };
  void align_gradients();
  void step_group(const Group& group, double learning_rate);
  [[nodiscard]] std::vector<at::Tensor> gradients() const;

  OptimizerOptions options_;
  std::vector<Group> groups_;  ///< with decay, without
  at::Tensor steps_;           ///< fp32 scalar: updates done
};

}  // namespace headroom::train
