#include "core/train/optimizer.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace headroom::train {
namespace {

/// Equal indices are equally far into the memory of both.
bool has_layout_of(const at::Tensor& tensor, const at::Tensor& other) {
  for (std::int64_t d = 0; d < tensor.dim(); ++d) {
    if (tensor.size(d) > 1 && tensor.stride(d) != other.stride(d)) {
      return false;
    }
  }
  return true;
}

/// The values in the order of memory. The fused kernels copy what is not contiguous in the order of
/// its dimensions, as channels-last weights are not; these are dense, and an update is the same in
/// any order.
at::Tensor in_memory_order(const at::Tensor& dense) {
  return dense.as_strided({dense.numel()}, {1});
}

}  // namespace

Optimizer::Optimizer(const std::vector<std::pair<std::string, at::Tensor>>& parameters,
                     OptimizerOptions options)
    : options_(options), groups_(2) {
  const at::NoGradGuard no_graph;
  groups_[0].weight_decay = options_.weight_decay;
  for (const auto& [name, parameter] : parameters) {
    Group& group = groups_[parameter.dim() > 1 ? 0 : 1];
    group.names.push_back(name);
    group.parameters.push_back(parameter);
    group.first.push_back(at::zeros_like(parameter));
    if (options_.kind == base::OptimizerKind::adamw) {
      group.second.push_back(at::zeros_like(parameter));
    }
  }
  const auto device = parameters.empty() ? c10::Device(c10::kCPU) : parameters[0].second.device();
  steps_ = at::zeros({}, at::TensorOptions().dtype(at::kFloat).device(device));
}

void Optimizer::zero_grad() {
  for (Group& group : groups_) {
    for (at::Tensor& parameter : group.parameters) {
      parameter.mutable_grad().reset();
    }
  }
}

std::vector<at::Tensor> Optimizer::gradients() const {
  std::vector<at::Tensor> found;
  for (const Group& group : groups_) {
    for (const at::Tensor& parameter : group.parameters) {
      if (parameter.grad().defined()) {
        found.push_back(parameter.grad());
      }
    }
  }
  return found;
}

at::Tensor Optimizer::gradient_norm() const {
  const at::NoGradGuard no_graph;
  const auto all = gradients();
  return all.empty() ? at::zeros_like(steps_) : at::stack(at::_foreach_norm(all)).norm();
}

void Optimizer::scale_gradients(double factor) {
  const at::NoGradGuard no_graph;
  if (const auto all = gradients(); !all.empty()) {
    at::_foreach_mul_(all, factor);
  }
}

/// Gives every gradient its parameter's layout. All that an update allocates is allocated here:
/// memory that is refused between two parameters would leave half an update.
void Optimizer::align_gradients() {
  for (Group& group : groups_) {
    for (at::Tensor& parameter : group.parameters) {
      at::Tensor& gradient = parameter.mutable_grad();
      if (gradient.defined() && !has_layout_of(gradient, parameter)) {
        gradient = at::empty_like(parameter).copy_(gradient);
      }
    }
  }
}

void Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_graph;
  align_gradients();
  steps_ += 1;
  for (const Group& group : groups_) {
    step_group(group, learning_rate);
  }
}

void Optimizer::step_group(const Group& group, double learning_rate) {
  std::vector<at::Tensor> parameters, gradients, first, second;
  for (std::size_t i = 0; i < group.parameters.size(); ++i) {
    const at::Tensor& gradient = group.parameters[i].grad();
    if (!gradient.defined()) {
      continue;
    }
    parameters.push_back(in_memory_order(group.parameters[i]));
    gradients.push_back(in_memory_order(gradient));
    first.push_back(in_memory_order(group.first[i]));
    if (!group.second.empty()) {
      second.push_back(in_memory_order(group.second[i]));
    }
  }
  if (parameters.empty()) {
    return;
  }
  if (options_.kind == base::OptimizerKind::adamw) {
    const std::vector<at::Tensor> steps(parameters.size(), steps_);
    at::_fused_adamw_(parameters, gradients, first, second, {}, steps, learning_rate,
                      options_.beta1, options_.beta2, group.weight_decay, options_.epsilon,
                      /*amsgrad=*/false, /*maximize=*/false);
  } else {
    at::_fused_sgd_(parameters, gradients, first, group.weight_decay, options_.momentum,
                    learning_rate, /*dampening=*/0, /*nesterov=*/false, /*maximize=*/false,
                    /*is_first_step=*/false);
  }
}

NamedTensors Optimizer::state() const {
  NamedTensors state{{"steps", steps_}};
  const bool adamw = options_.kind == base::OptimizerKind::adamw;
  for (const Group& group : groups_) {
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      state[(adamw ? "exp_avg." : "momentum.") + group.names[i]] = group.first[i];
      if (adamw) {
        state["exp_avg_sq." + group.names[i]] = group.second[i];
      }
    }
  }
  return state;
}

}  // namespace headroom::train
