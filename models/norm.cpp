#include "models/norm.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/memory/checkpoint.hpp"

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

at::Tensor NormAct::apply(const at::Tensor& x, const BatchStatistics& statistics) const {
  // The scale and shift that forward used: with unit variance and no epsilon, norm in evaluation
  // mode multiplies by its weight alone, and that is forward's inverse deviation times its weight.
  const at::Tensor scale = weight_.detach() * statistics.inverse_deviation;
  return std::get<0>(at::native_batch_norm(x, scale, bias_.detach(), statistics.mean,
                                           at::ones_like(statistics.mean), /*training=*/false,
                                           /*momentum=*/0, /*eps=*/0));
}

at::Tensor NormAct::batch_norm(const at::Tensor& x, BatchStatistics& statistics) {
  if (memory::is_repeating() && statistics.mean.defined()) {
    return apply(x, statistics);
  }
  at::Tensor mean = running_mean_, variance = running_var_;
  if (memory::is_repeating()) {
    // The repeat gets statistics to move too, so that it saves as many tensors as forward did, but
    // not these.
    mean = mean.clone();
    variance = variance.clone();
  } else if (is_training()) {
    num_batches_tracked_.add_(1);
  }
  if (x.is_cpu() && is_training()) {
    auto [normed, batch_mean, inverse_deviation] = at::native_batch_norm(
        x, weight_, bias_, mean, variance, /*training=*/true, kMomentum, kEpsilon);
    statistics = {batch_mean.detach(), inverse_deviation.detach()};
    return normed;
  }
  // A device has kernels of its own for training, which norm in evaluation mode need not equal in
  // every bit.
  return at::batch_norm(x, weight_, bias_, mean, variance, is_training(), kMomentum, kEpsilon,
                        /*cudnn_enabled=*/true);
}

at::Tensor NormAct::forward(const at::Tensor& x, BatchStatistics& statistics) {
  // Instance norm is group norm with a group for each channel, which keeps channels-last as it is.
  at::Tensor normed = kind_ == base::NormKind::batch
                          ? batch_norm(x, statistics)
                          : at::group_norm(x, groups_, weight_, bias_, kEpsilon);
  return at::GradMode::is_enabled() ? ReluInPlace::apply(std::move(normed)) : normed.relu_();
}

std::int64_t NormAct::values_per_statistic(at::IntArrayRef sizes) const {
  const std::int64_t pixels = sizes[2] * sizes[3];
  return kind_ == base::NormKind::batch ? sizes[0] * pixels : channels_ / groups_ * pixels;
}

}  // namespace headroom::models
