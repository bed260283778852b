#include "models/norm.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <utility>

#include "core/memory/checkpoint.hpp"
#include "models/norm_act_kernels.hpp"

namespace headroom::models {
namespace {

constexpr double kMomentum = 0.1;
constexpr double kEpsilon = 1e-5;

/// Group norm (Wu and He 2018): at most 32 groups, of at least 4 channels where there are so many.
std::int64_t groups_for(std::int64_t channels) {
  std::int64_t groups = std::clamp<std::int64_t>(channels / 4, 1, 32);
  while (channels % groups != 0) {
    --groups;
  }
  return groups;
}

bool is_same_layout(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

/// ReLU over its input. Its gradient takes the memory of its result where nobody else has that: a
/// result that was repeated for backward is gone afterwards anyway.
struct ReluInPlace : torch::autograd::Function<ReluInPlace> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, at::Tensor x) {
    x.relu_();
    context->mark_dirty({x});
    context->save_for_backward({x});
    return x;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outer) {
    at::Tensor result = std::move(context->get_saved_variables().front());
    const at::Tensor& gradient = outer.front();
    const bool is_ours = !at::GradMode::is_enabled() && result.storage().use_count() == 1 &&
                         is_same_layout(gradient, result);
    if (!is_ours) {
      return {at::threshold_backward(gradient, result, 0)};
    }
    at::Tensor own = result.detach();
    at::threshold_backward_out(own, gradient, own, 0);
    return {std::move(own)};
  }
};

/// Batch norm by the batch's own statistics, and ReLU. Saves x and [c]-sized tensors.
struct BatchNormRelu : torch::autograd::Function<BatchNormRelu> {
  static NormMap map_of(const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& mean,
                        const at::Tensor& inverse_deviation) {
    at::Tensor scale = weight * inverse_deviation;
    at::Tensor shift = bias - mean * scale;
    return {std::move(scale), std::move(shift)};
  }

  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const at::Tensor& mean, const at::Tensor& inverse_deviation) {
    RECORD_FUNCTION("norm_act", std::vector<c10::IValue>({x, weight}));
    context->save_for_backward({x, weight, bias, mean, inverse_deviation});
    at::Tensor result = norm_act(x, map_of(weight, bias, mean, inverse_deviation));
    RECORD_OUTPUTS(at::TensorList(result));
    return result;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &mean = saved[3];
    const at::Tensor& inverse_deviation = saved[4];
    RECORD_FUNCTION("norm_act_backward", std::vector<c10::IValue>({outer.front(), weight}));
    const NormMap map = map_of(weight, saved[2], mean, inverse_deviation);
    if (at::GradMode::is_enabled()) {
      return differentiable(outer.front(), saved, map);
    }
    const at::Tensor gradient =
        is_same_layout(outer.front(), x) ? outer.front() : at::empty_like(x).copy_(outer.front());
    const at::Tensor sums = norm_act_gradient_sums(gradient, x, map, mean);
    at::Tensor input_gradient;
    if (context->needs_input_grad(0)) {
      const double pixels = static_cast<double>(x.numel()) / static_cast<double>(x.size(1));
      const at::Tensor by_pixel = sums / pixels;
      input_gradient = norm_act_input_gradient(
          gradient, x, map,
          {.mean = mean,
           .constant = by_pixel[0].to(at::kFloat),
           .slope = (by_pixel[1] * inverse_deviation.square()).to(at::kFloat)});
      RECORD_OUTPUTS(at::TensorList(input_gradient));
    }
    return {input_gradient, (sums[1] * inverse_deviation).to(at::kFloat), sums[0].to(at::kFloat),
            at::Tensor(), at::Tensor()};
  }

  /// The same from LibTorch's operations, for second derivatives.
  static torch::autograd::variable_list differentiable(const at::Tensor& outer,
                                                       const torch::autograd::variable_list& saved,
                                                       const NormMap& map) {
    const at::Tensor is_above =
        norm_act(saved[0].detach(), {map.scale.detach(), map.shift.detach()}).gt(0);
    auto [input, weight, bias] =
        at::native_batch_norm_backward(outer * is_above, saved[0], saved[1], {}, {}, saved[3],
                                       saved[4], /*train=*/true, kEpsilon, {true, true, true});
    return {input, weight, bias, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

NormAct::NormAct(base::NormKind kind, std::int64_t channels) : kind_(kind), channels_(channels) {
  weight_ = register_parameter("weight", at::ones({channels}));
  bias_ = register_parameter("bias", at::zeros({channels}));
  if (kind == base::NormKind::batch) {
    running_mean_ = register_buffer("running_mean", at::zeros({channels}));
    running_var_ = register_buffer("running_var", at::ones({channels}));
    num_batches_tracked_ = register_buffer("num_batches_tracked", at::zeros({}, at::kLong));
  } else {
    groups_ = kind == base::NormKind::instance ? channels : groups_for(channels);
  }
}

at::Tensor NormAct::batch_norm(const at::Tensor& x) {
  at::Tensor mean = running_mean_, variance = running_var_;
  if (memory::is_repeating()) {
    // The repeat gets statistics to move too, so that it saves as many tensors as forward did, but
    // not these.
    mean = mean.clone();
    variance = variance.clone();
  } else if (is_training()) {
    num_batches_tracked_.add_(1);
  }
  return at::batch_norm(x, weight_, bias_, mean, variance, is_training(), kMomentum, kEpsilon,
                        /*cudnn_enabled=*/true);
}

BatchStatistics NormAct::find_statistics(const at::Tensor& x) {
  const at::NoGradGuard no_grad;
  auto [mean, variance] = at::batch_norm_update_stats(x, running_mean_, running_var_, kMomentum);
  num_batches_tracked_.add_(1);
  return {std::move(mean), (variance + kEpsilon).rsqrt_()};
}

at::Tensor NormAct::forward(const at::Tensor& x, BatchStatistics& statistics) {
  if (kind_ == base::NormKind::batch && is_training() && has_norm_act_kernels(x)) {
    if (!statistics.mean.defined()) {
      statistics = find_statistics(x);
    }
    return BatchNormRelu::apply(x, weight_, bias_, statistics.mean, statistics.inverse_deviation);
  }
  // Instance norm is group norm with a group for each channel, which keeps channels-last as it is.
  at::Tensor normed = kind_ == base::NormKind::batch
                          ? batch_norm(x)
                          : at::group_norm(x, groups_, weight_, bias_, kEpsilon);
  return at::GradMode::is_enabled() ? ReluInPlace::apply(std::move(normed)) : normed.relu_();
}

std::int64_t NormAct::values_per_statistic(at::IntArrayRef sizes) const {
  const std::int64_t pixels = sizes[2] * sizes[3];
  return kind_ == base::NormKind::batch ? sizes[0] * pixels : channels_ / groups_ * pixels;
}

}  // namespace headroom::models
