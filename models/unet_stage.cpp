#include "models/unet_stage.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

namespace headroom::models {
namespace {

torch::nn::Conv2d conv3x3(std::int64_t in, std::int64_t out) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).padding(1).bias(false));
}

/// Normal with variance 2 / fan-in.
void draw_weight(at::Tensor weight, std::int64_t fan_in) {
  const at::NoGradGuard no_grad;
  weight.normal_(0.0, std::sqrt(2.0 / static_cast<double>(fan_in)));
}

void set_to_zero(at::Tensor tensor) {
  const at::NoGradGuard no_grad;
  tensor.zero_();
}

at::Tensor take(at::Tensor& tensor) { return std::exchange(tensor, at::Tensor()); }

}  // namespace

void initialise_convolution(torch::nn::Conv2dImpl& convolution) {
  const at::Tensor& weight = convolution.weight;
  draw_weight(weight, weight.size(1) * weight.size(2) * weight.size(3));
  if (convolution.bias.defined()) {
    set_to_zero(convolution.bias);
  }
}

UNetStage::UNetStage(const StageOptions& options) : options_(options) {
  const std::int64_t out = options.out_channels;
  std::int64_t entry_channels = options.in_channels;
  if (options.entry == StageEntry::up) {
    entry_channels = out;
    up_ = register_module(
        "up", torch::nn::ConvTranspose2d(
                  torch::nn::ConvTranspose2dOptions(options.in_channels, out, 2).stride(2)));
    draw_weight(up_->weight, options.in_channels);
    set_to_zero(up_->bias);
    conv_a_skip_ = register_module("conv_a_skip", conv3x3(out, out));
  }
  conv_a_ = register_module("conv_a", conv3x3(entry_channels, out));
  norm_a_ = register_module("norm_a", std::make_shared<NormAct>(options.norm, out));
  conv_b_ = register_module("conv_b", conv3x3(out, out));
  norm_b_ = register_module("norm_b", std::make_shared<NormAct>(options.norm, out));
  const std::int64_t fan_in = 9 * (entry_channels + (conv_a_skip_ ? out : 0));
  draw_weight(conv_a_->weight, fan_in);
  if (conv_a_skip_) {
    draw_weight(conv_a_skip_->weight, fan_in);
  }
  initialise_convolution(*conv_b_);
}

at::Tensor UNetStage::enter(at::Tensor x) {
  if (options_.entry == StageEntry::pool) {
    return at::max_pool2d(take(x), 2);
  }
  return up_(take(x));
}

at::Tensor UNetStage::run_cheap(plan::Policy policy, const memory::Body& body, at::Tensor x) {
  memory::Tensors inputs;
  inputs.push_back(std::move(x));
  if (policy != plan::Policy::light) {
    return body(std::move(inputs));
  }
  memory::RegionOptions options = region();
  // The peak lies in a decoder, where every byte counts; an encoder has the bytes to save time.
  options.holds_inputs = options_.entry == StageEntry::pool;
  return memory::run_repeatable(body, std::move(inputs), options);
}

memory::Body UNetStage::norm_act_a() const {
  return [norm = norm_a_, statistics = std::make_shared<BatchStatistics>()](
             memory::Tensors values) { return norm->forward(take(values.at(0)), *statistics); };
}

memory::Body UNetStage::finish() const {
  const double dropout = is_training() ? options_.dropout : 0;
  return [norm = norm_b_, dropout,
          statistics = std::make_shared<BatchStatistics>()](memory::Tensors values) {
    const at::Tensor x = norm->forward(take(values.at(0)), *statistics);
    return dropout > 0 ? at::feature_dropout(x, dropout, /*train=*/true) : x;
  };
}

at::Tensor UNetStage::convolutions(memory::Tensors inputs, plan::Policy policy,
                                   const memory::Body& norm_act_a) {
  at::Tensor x = std::move(inputs.at(0));
  at::Tensor skip = inputs.size() > 1 ? std::move(inputs[1]) : at::Tensor();
  if (options_.entry != StageEntry::image) {
    x = run_cheap(
        policy, [this](memory::Tensors values) { return enter(take(values.at(0))); }, take(x));
  }
  x = conv_a_(take(x));
  if (skip.defined()) {
    x.add_(conv_a_skip_(take(skip)));
  }
  return conv_b_(run_cheap(policy, norm_act_a, take(x)));
}

at::Tensor UNetStage::forward(memory::Tensors inputs, plan::Policy policy) {
  if (policy == plan::Policy::offload) {
    return memory::run_offloaded(
        [this, policy](memory::Tensors values) {
          memory::Tensors convolved;
          convolved.push_back(convolutions(std::move(values), policy, norm_act_a()));
          return finish()(std::move(convolved));
        },
        std::move(inputs), region());
  }
  memory::Tensors convolved;
  if (policy == plan::Policy::full) {
    // The border of Full lies behind the last convolution: its input is saved before it computes,
    // so backward never repeats it.
    convolved.push_back(memory::run_full(
        [this, policy, norm_act = norm_act_a()](memory::Tensors values) {
          return convolutions(std::move(values), policy, norm_act);
        },
        std::move(inputs), region()));
  } else {
    convolved.push_back(convolutions(std::move(inputs), policy, norm_act_a()));
  }
  if (policy == plan::Policy::keep) {
    return finish()(std::move(convolved));
  }
  // What follows is cheap for its bytes and is repeated by itself, also when the next stage asks
  // for this stage's output.
  return memory::run_repeatable(finish(), std::move(convolved), region());
}

}  // namespace headroom::models
