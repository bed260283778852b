// Norm and ReLU as one operation, against LibTorch's two in fp64.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "models/norm.hpp"
#include "models/norm_act_kernels.hpp"
#include "models/norm_act_loops.hpp"

namespace headroom::models {
namespace {

struct Case {
  at::MemoryFormat format = at::MemoryFormat::Contiguous;
  at::ScalarType type = at::kFloat;
  std::vector<std::int64_t> sizes{};
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    for (const auto type : {at::kFloat, at::kBFloat16}) {
      for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{2, 3, 5, 7},
                                                     {1, 33, 4, 4},
                                                     {3, 16, 1, 2},
                                                     {2, 4, 150, 190}}) {
        cases.push_back({format, type, sizes});
      }
    }
  }
  return cases;
}

/// Result, gradients of input, weight and bias, running mean and variance.
using Outcome = std::vector<at::Tensor>;

struct Given {
  at::Tensor x, outer, weight, bias;
  explicit Given(const Case& of) {
    x = (at::randn(of.sizes) * 2 + 3).to(of.type).contiguous(of.format);
    outer = at::randn(of.sizes).to(of.type).contiguous(of.format);
    weight = at::rand({of.sizes[1]}) + 0.5;
    bias = at::randn({of.sizes[1]});
    // Beside 0, rounding decides whether a value is above it.
    const at::Tensor wide = x.to(at::kDouble);
    const at::Tensor normed = at::batch_norm(wide, weight.to(at::kDouble), bias.to(at::kDouble), {},
                                             {}, true, 0.1, 1e-5, false);
    outer.masked_fill_(normed.abs() < 1e-3, 0);
  }
};

Outcome outcome_of_ours(const Given& given) {
  NormAct norm(base::NormKind::batch, given.weight.size(0));
  norm.named_parameters()["weight"].set_data(given.weight.clone());
  norm.named_parameters()["bias"].set_data(given.bias.clone());
  BatchStatistics statistics;
  at::Tensor x = given.x.clone().requires_grad_();
  const at::Tensor y = norm.forward(x, statistics);
  y.backward(given.outer);
  return {y.detach(),
          x.grad(),
          norm.named_parameters()["weight"].grad(),
          norm.named_parameters()["bias"].grad(),
          norm.named_buffers()["running_mean"],
          norm.named_buffers()["running_var"]};
}

Outcome outcome_in_fp64(const Given& given) {
  at::Tensor x = given.x.to(at::kDouble).requires_grad_();
  at::Tensor weight = given.weight.to(at::kDouble).requires_grad_();
  at::Tensor bias = given.bias.to(at::kDouble).requires_grad_();
  at::Tensor mean = at::zeros_like(weight).detach(), variance = at::ones_like(weight).detach();
  const at::Tensor y =
      at::batch_norm(x, weight, bias, mean, variance, true, 0.1, 1e-5, false).relu();
  y.backward(given.outer.to(at::kDouble));
  return {y.detach(), x.grad(), weight.grad(), bias.grad(), mean, variance};
}

TEST(NormAct_OfABatch, IsBatchNormAndReluWithTheirGradients) {
  for (const Case& each : all_cases()) {
    SCOPED_TRACE(testing::Message() << each.format << " " << each.type << " " << each.sizes.back());
    const Given given(each);
    const Outcome found = outcome_of_ours(given), expected = outcome_in_fp64(given);
    EXPECT_EQ(found[0].scalar_type(), each.type);
    EXPECT_EQ(found[0].strides(), given.x.strides());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double largest = expected[i].abs().max().item<double>();
      const double allowed = (each.type == at::kFloat || i >= 4 ? 2e-5 : 1e-2) * (largest + 1e-3);
      const double gap = (found[i].to(at::kDouble) - expected[i]).abs().max().item<double>();
      EXPECT_LE(gap, allowed) << "value " << i;
    }
  }
}

TEST(NormAct_OfNaN, IsNaN) {
  NormAct norm(base::NormKind::batch, 2);
  BatchStatistics statistics;
  at::Tensor x = at::randn({2, 2, 4, 4});
  x[0][1][2][3] = std::numeric_limits<float>::quiet_NaN();
  const at::Tensor y = norm.forward(x, statistics);
  EXPECT_TRUE(at::isnan(y.select(1, 1)).all().item<bool>());
  EXPECT_FALSE(at::isnan(y.select(1, 0)).any().item<bool>());
}

TEST(NormActGradientSums, WithAnyThreads_AreTheSameBits) {
  const Given given({at::MemoryFormat::ChannelsLast, at::kFloat, {2, 32, 100, 100}});
  const auto sums = [&given] {
    return norm_act_gradient_sums(given.outer, given.x, {given.weight, given.bias}, given.bias);
  };
  const int threads = at::get_num_threads();
  const at::Tensor many = sums();
  at::set_num_threads(1);
  const at::Tensor one = sums();
  at::set_num_threads(threads);
  EXPECT_TRUE(at::equal(one, many));
}

TEST(NormActLoops, OfBothInstructionSets_AgreeUpToRounding) {
  if (!at::get_cpu_capability().starts_with("AVX")) GTEST_SKIP() << "this CPU has no AVX2";
  const at::Tensor x = at::randn({6, 37}), scale = at::rand({37}) + 0.5, shift = at::randn({37});
  const RowRange rows{.channels_last = true, .channels = 37, .length = 37, .end = 6};
  const ChannelFactors factors{.scale = scale.const_data_ptr<float>(),
                               .shift = shift.const_data_ptr<float>()};
  std::vector<at::Tensor> results;
  for (const NormActLoops& loops : {baseline_norm_act_loops(), avx2_norm_act_loops()}) {
    results.push_back(at::empty_like(x));
    loops.map(rows, x.const_data_ptr(), results.back().mutable_data_ptr(), factors);
  }
  EXPECT_TRUE(at::allclose(results[0], at::relu(x * scale + shift), 1e-6, 1e-6));
  EXPECT_TRUE(at::allclose(results[1], results[0], 1e-6, 1e-6));
}

TEST(NormAct_SecondDerivatives, AreThoseOfBatchNormAndRelu) {
  const Given given({at::MemoryFormat::Contiguous, at::kFloat, {2, 3, 6, 6}});
  const auto second = [](at::Tensor x, const at::Tensor& y) {
    const at::Tensor slope = torch::autograd::grad({y.pow(3).sum()}, {x}, {}, /*retain_graph=*/true,
                                                   /*create_graph=*/true)[0];
    slope.square().sum().backward();
    return x.grad();
  };
  NormAct norm(base::NormKind::batch, 3);
  BatchStatistics statistics;
  at::Tensor x = given.x.clone().requires_grad_();
  const at::Tensor found = second(x, norm.forward(x, statistics));
  at::Tensor wide = given.x.to(at::kDouble).requires_grad_();
  const at::Tensor ones = at::ones({3}, at::kDouble);
  const at::Tensor expected =
      second(wide, at::batch_norm(wide, ones, ones - 1, {}, {}, true, 0.1, 1e-5, false).relu());
  const double largest = expected.abs().max().item<double>();
  EXPECT_LE((found.to(at::kDouble) - expected).abs().max().item<double>(), 1e-4 * largest);
}

}  // namespace
}  // namespace headroom::models
