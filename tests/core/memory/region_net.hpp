#pragma once
// A small network whose stages are regions, and what must be equal with and without them.

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/conv.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/checkpoint.hpp"

namespace headroom::memory {

enum class Norm { none, batch, instance, group };

struct Net : torch::nn::Module {
  Net(Norm norm_kind, double dropout_p) : norm(norm_kind), dropout(dropout_p) {
    at::manual_seed(7);
    for (int i = 0; i < 3; ++i) {
      const std::string name = std::to_string(i);
      convs.push_back(register_module(
          "conv" + name,
          torch::nn::Conv2d(torch::nn::Conv2dOptions(i == 0 ? 3 : 8, 8, 3).padding(1))));
      weights.push_back(register_parameter("weight" + name, at::ones({8})));
      biases.push_back(register_parameter("bias" + name, at::zeros({8})));
      means.push_back(register_buffer("mean" + name, at::zeros({8})));
      variances.push_back(register_buffer("variance" + name, at::ones({8})));
    }
  }

  at::Tensor norm_act(std::size_t i, const at::Tensor& x) {
    at::Tensor y = x;
    if (norm == Norm::batch) {
      at::Tensor mean = means[i], variance = variances[i];
      if (is_repeating()) {
        mean = mean.clone();
        variance = variance.clone();
      }
      y = at::batch_norm(x, weights[i], biases[i], mean, variance, true, 0.1, 1e-5, false);
    } else if (norm == Norm::instance) {
      y = at::instance_norm(x, weights[i], biases[i], {}, {}, true, 0.1, 1e-5, false);
    } else if (norm == Norm::group) {
      y = at::group_norm(x, 4, weights[i], biases[i]);
    }
    y = norm == Norm::none ? y.relu() : y.relu_();
    return dropout > 0 ? at::dropout(y, dropout, true) : y;
  }

  at::Tensor forward(at::Tensor x, bool with_regions) {
    std::optional<ForwardScope> scope;
    if (with_regions) {
      scope.emplace();
    }
    const RegionOptions options{.stage = 0, .stage_name = "stage"};
    for (std::size_t i = 0; i < convs.size(); ++i) {
      Tensors in;
      in.push_back(std::move(x));
      Tensors convolved;
      convolved.push_back(run_full(
          [this, i](Tensors v) {
            return convs[i](convs[i]->options.in_channels() == 8 ? v[0].sigmoid() : v[0]);
          },
          std::move(in), options));
      x = run_repeatable([this, i](Tensors v) { return norm_act(i, v[0]); }, std::move(convolved),
                         options);
    }
    return x;
  }

  Norm norm;
  double dropout;
  std::vector<torch::nn::Conv2d> convs;
  std::vector<at::Tensor> weights, biases, means, variances;
};

/// Gradients, buffers and the next random number, after `use` was given a fresh network.
inline std::vector<at::Tensor> outcome(Norm norm, double dropout, bool with_regions,
                                       const std::function<void(Net&, bool)>& use) {
  Net net(norm, dropout);
  at::manual_seed(11);
  use(net, with_regions);
  std::vector<at::Tensor> all;
  for (const at::Tensor& p : net.parameters()) {
    all.push_back(p.grad().defined() ? p.grad().clone() : at::zeros({}));
  }
  for (const at::Tensor& b : net.buffers()) {
    all.push_back(b.clone());
  }
  all.push_back(at::rand({4}));
  return all;
}

inline void expect_equal_with_and_without(Norm norm, double dropout,
                                          const std::function<void(Net&, bool)>& use) {
  const std::vector<at::Tensor> plain = outcome(norm, dropout, false, use);
  const std::vector<at::Tensor> regions = outcome(norm, dropout, true, use);
  ASSERT_EQ(plain.size(), regions.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_TRUE(at::equal(plain[i], regions[i])) << "tensor " << i;
  }
}

inline at::Tensor image(std::int64_t side = 8) {
  at::manual_seed(3);
  return at::randn({2, 3, side, side});
}

inline void one_step(Net& net, bool with_regions) {
  const at::Tensor x = image();
  at::manual_seed(5);
  net.forward(x, with_regions).square().mean().backward();
}

}  // namespace headroom::memory
