#include <gtest/gtest.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <cmath>

#include <utility>
#include <vector>

#include "core/memory/meter.hpp"
#include "core/train/optimizer.hpp"

namespace headroom::train {
namespace {

using Named = std::vector<std::pair<std::string, at::Tensor>>;

/// A convolution's weight (channels-last), a bias, and a parameter that never gets a gradient.
Named make_parameters() {
  at::manual_seed(3);
  at::Tensor weight = at::randn({6, 4, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast);
  return {{"weight", weight.requires_grad_(true)},
          {"bias", at::randn({37}).requires_grad_(true)},
          {"idle", at::randn({5, 2}).requires_grad_(true)}};
}

void set_gradients(const Named& parameters, std::int64_t step) {
  at::manual_seed(static_cast<std::uint64_t>(100 + step));
  for (const auto& [name, parameter] : parameters) {
    if (name != "idle") {
      parameter.mutable_grad() = at::randn_like(parameter);
    }
  }
}

/// Loshchilov and Hutter 2019, algorithm 2, in double.
void adamw_by_hand(const Named& parameters, std::vector<at::Tensor>& expected) {
  constexpr double kRate = 1e-2, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8, kDecay = 0.1;
  std::vector<at::Tensor> m, v;
  for (const auto& [name, parameter] : parameters) {
    expected.push_back(parameter.detach().to(at::kDouble));
    m.push_back(at::zeros_like(expected.back()));
    v.push_back(at::zeros_like(expected.back()));
  }
  for (std::int64_t t = 1; t <= 5; ++t) {
    set_gradients(parameters, t);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const at::Tensor& with_gradient = parameters[i].second;
      if (!with_gradient.grad().defined()) {
        continue;
      }
      const at::Tensor g = with_gradient.grad().to(at::kDouble);
      m[i] = kBeta1 * m[i] + (1 - kBeta1) * g;
      v[i] = kBeta2 * v[i] + (1 - kBeta2) * g * g;
      const double step = static_cast<double>(t);
      const at::Tensor m_hat = m[i] / (1 - std::pow(kBeta1, step));
      const at::Tensor v_hat = v[i] / (1 - std::pow(kBeta2, step));
      const double decay = with_gradient.dim() > 1 ? kDecay : 0;
      expected[i] = expected[i] - kRate * (m_hat / (v_hat.sqrt() + kEpsilon) + decay * expected[i]);
    }
  }
}

TEST(Optimizer, AdamW_EqualsTheFormulaWithDecayOnWeightsOnly) {
  const Named parameters = make_parameters();
  std::vector<at::Tensor> expected;
  adamw_by_hand(parameters, expected);
  Optimizer optimizer(parameters, {.weight_decay = 0.1});
  for (std::int64_t t = 1; t <= 5; ++t) {
    set_gradients(parameters, t);
    optimizer.step(1e-2);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto difference = (parameters[i].second.detach() - expected[i]).abs().max();
    EXPECT_LE(difference.item<double>(), 1e-6) << parameters[i].first;
  }
}

TEST(Optimizer, Sgd_EqualsLibTorchsPlainOne) {
  const Named ours = make_parameters(), theirs = make_parameters();
  Optimizer optimizer(ours, {.kind = base::OptimizerKind::sgd, .weight_decay = 0});
  torch::optim::SGD reference({theirs[0].second, theirs[1].second},
                              torch::optim::SGDOptions(0.05).momentum(0.9));
  for (std::int64_t t = 1; t <= 4; ++t) {
    set_gradients(ours, t);
    set_gradients(theirs, t);
    optimizer.step(0.05);
    reference.step();
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_TRUE(at::allclose(ours[i].second, theirs[i].second, 1e-6, 1e-6)) << ours[i].first;
  }
}

TEST(Optimizer, ZeroGrad_FreesTheGradients) {
  const Named parameters = make_parameters();
  Optimizer optimizer(parameters, {});
  set_gradients(parameters, 1);
  optimizer.zero_grad();
  for (const auto& [name, parameter] : parameters) {
    EXPECT_FALSE(parameter.grad().defined());
  }
}

TEST(Optimizer, GradientNorm_IsTheNormOverAllOfThem) {
  const Named parameters = make_parameters();
  const Optimizer optimizer(parameters, {});
  parameters[0].second.mutable_grad() = at::zeros_like(parameters[0].second);
  parameters[1].second.mutable_grad() = at::zeros_like(parameters[1].second);
  parameters[0].second.mutable_grad()[1][2][0][1] = 3;
  parameters[1].second.mutable_grad()[5] = 4;
  EXPECT_FLOAT_EQ(optimizer.gradient_norm().item<float>(), 5);
}

TEST(Optimizer, NoGradients_NormIsZeroAndAStepChangesNothing) {
  const Named parameters = make_parameters();
  const at::Tensor before = parameters[0].second.detach().clone();
  Optimizer optimizer(parameters, {});
  EXPECT_EQ(optimizer.gradient_norm().item<float>(), 0);
  optimizer.step(0.1);
  EXPECT_TRUE(at::equal(before, parameters[0].second));
}

TEST(Optimizer, ScaledGradients_HaveTheScaledNorm) {
  const Named parameters = make_parameters();
  Optimizer optimizer(parameters, {});
  set_gradients(parameters, 1);
  const auto before = optimizer.gradient_norm().item<double>();
  optimizer.scale_gradients(0.5);
  EXPECT_NEAR(optimizer.gradient_norm().item<double>(), before / 2, 1e-5 * before);
}

TEST(Optimizer, Step_AllocatesNothingThatStays) {
  const Named parameters = make_parameters();
  Optimizer optimizer(parameters, {});
  set_gradients(parameters, 1);
  const auto before = memory::meter_of(c10::kCPU).reading().live_bytes;
  optimizer.step(1e-3);
  EXPECT_EQ(memory::meter_of(c10::kCPU).reading().live_bytes, before);
}

/// Copies of the parameters and of the optimizer's state.
std::vector<at::Tensor> everything(const Named& parameters, const Optimizer& optimizer) {
  std::vector<at::Tensor> copies;
  for (const auto& [name, parameter] : parameters) {
    copies.push_back(parameter.detach().clone());
  }
  for (const auto& [name, tensor] : optimizer.state()) {
    copies.push_back(tensor.clone());
  }
  return copies;
}

TEST(Optimizer, AnyAllocationOfAStepThatFails_UpdatesNothing) {
  for (const base::OptimizerKind kind : {base::OptimizerKind::adamw, base::OptimizerKind::sgd}) {
    Named parameters = make_parameters();
    // Both of a layout that their gradients have not.
    parameters.emplace_back(
        "more",
        at::randn({5, 4, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast).requires_grad_(true));
    Optimizer optimizer(parameters, {.kind = kind});
    const auto set_plain_gradients = [&] {
      for (const auto& [name, parameter] : parameters) {
        parameter.mutable_grad() = at::ones(parameter.sizes());
      }
    };
    set_plain_gradients();
    const std::vector<at::Tensor> before = everything(parameters, optimizer);
    int failures = 0;
    for (std::int64_t n = 1;; ++n, ++failures) {
      set_plain_gradients();
      memory::fail_allocation(n);
      try {
        optimizer.step(1e-2);
        memory::fail_allocation(0);
        break;
      } catch (const std::exception& error) {
        memory::fail_allocation(0);
        ASSERT_TRUE(memory::is_out_of_memory(error)) << error.what();
      }
      const std::vector<at::Tensor> after = everything(parameters, optimizer);
      for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_TRUE(at::equal(before[i], after[i])) << "allocation " << n << ", tensor " << i;
      }
    }
    EXPECT_GE(failures, 2);
  }
}

TEST(Optimizer, State_NamesEveryMomentOnce) {
  const Optimizer adamw(make_parameters(), {});
  EXPECT_EQ(adamw.state().size(), 7);
  EXPECT_TRUE(adamw.state().contains("exp_avg_sq.bias"));
  const Optimizer sgd(make_parameters(), {.kind = base::OptimizerKind::sgd});
  EXPECT_EQ(sgd.state().size(), 4);
  EXPECT_TRUE(sgd.state().contains("momentum.weight"));
}

}  // namespace
}  // namespace headroom::train
