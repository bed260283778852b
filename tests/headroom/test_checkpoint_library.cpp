// The public face of checkpointing, used as another program's network would use it.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/pooling.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "headroom/checkpoint.hpp"

namespace headroom {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kChannels = 4;

torch::nn::Conv2d conv3x3(std::int64_t in_channels) {
  return torch::nn::Conv2d(
      torch::nn::Conv2dOptions(in_channels, kChannels, 3).padding(1).bias(false));
}

/// Convolution, batch norm and ReLU in place, and the same again.
torch::nn::Sequential block(std::int64_t in_channels, double dropout) {
  // Without a momentum the running statistics are the mean over all steps.
  torch::nn::Sequential modules(
      conv3x3(in_channels), torch::nn::BatchNorm2d(kChannels),
      torch::nn::ReLU(torch::nn::ReLUOptions(true)), conv3x3(kChannels),
      torch::nn::BatchNorm2d(torch::nn::BatchNormOptions(kChannels).momentum(std::nullopt)),
      torch::nn::ReLU(torch::nn::ReLUOptions(true)));
  if (dropout > 0) {
    modules->push_back(torch::nn::Dropout(dropout));
  }
  return modules;
}

Tensors two(at::Tensor a, at::Tensor b) {
  Tensors tensors;
  tensors.push_back(std::move(a));
  tensors.push_back(std::move(b));
  return tensors;
}

/// Three stages; the last one reads the first one's result too.
class Net : public torch::nn::Module {
 public:
  explicit Net(double dropout = 0.2) {
    a_ = register_module("a", block(3, 0));
    b_ = register_module("b", block(kChannels, dropout));
    join_ = register_module("join", conv3x3(kChannels));
    c_ = register_module("c", block(kChannels, 0));
  }

  at::Tensor forward(at::Tensor x) {
    const ForwardPass pass(stages);
    at::Tensor skip = stages.run("a", a_, std::move(x));
    x = stages.run("b", b_, skip);
    Layers layers = {{[this](Tensors v) { return join_(v.at(0) + v.at(1).sigmoid()); }}};
    for (Layer& layer : layers_of(*c_)) {
      layers.push_back(std::move(layer));
    }
    return stages.run("c", layers, two(std::move(x), std::move(skip)));
  }

  Stages stages{{"a", "b", "c"}};

 private:
  torch::nn::Sequential a_{nullptr}, b_{nullptr}, c_{nullptr};
  torch::nn::Conv2d join_{nullptr};
};

StepReading step(Net& net, std::int64_t side = 16) {
  const at::Tensor image = at::randn({2, 3, side, side});
  net.stages.begin_step();
  net.forward(image).square().mean().backward();
  return net.stages.end_step();
}

/// Gradients and buffers after two steps, and the next random number.
Tensors outcome(const std::string& plan) {
  at::manual_seed(7);
  Net net;
  net.stages.set_plan(plan);
  step(net);
  step(net);
  Tensors all;
  for (const at::Tensor& parameter : net.parameters()) {
    all.push_back(parameter.grad());
  }
  for (const at::Tensor& buffer : net.buffers()) {
    all.push_back(buffer);
  }
  all.push_back(at::rand({4}));
  return all;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(CheckpointLibrary_EveryPlanOfThreePolicies, IsBitIdenticalToKeep) {
  const std::vector<std::string> policies = {"keep", "light", "full"};
  const Tensors keep = outcome("keep");
  for (const std::string& a : policies) {
    for (const std::string& b : policies) {
      for (const std::string& c : policies) {
        const std::string plan = "a=" + a + ",b=" + b + ",c=" + c;
        const Tensors found = outcome(plan);
        ASSERT_EQ(found.size(), keep.size());
        for (std::size_t i = 0; i < keep.size(); ++i) {
          EXPECT_TRUE(at::equal(found[i], keep[i])) << plan << ", tensor " << i;
        }
      }
    }
  }
}

TEST(CheckpointLibrary_Reading, CountsRepeatsOfTheStagesThatDoNotKeep) {
  Net net;
  net.stages.set_plan("b=full,c=light");
  const StepReading reading = step(net);
  ASSERT_EQ(reading.stages.size(), 3U);
  EXPECT_EQ(reading.stages[0].name, "a");
  EXPECT_EQ(reading.stages[0].repeated_regions, 0);
  // Full: up to the second convolution, and what follows it. Light: two pairs of norm and ReLU.
  EXPECT_EQ(reading.stages[1].repeated_regions, 2);
  EXPECT_EQ(reading.stages[2].repeated_regions, 2);
  EXPECT_GT(reading.stages[1].repeat_seconds, 0);
  EXPECT_EQ(reading.stages[0].repeat_seconds, 0);
}

TEST(CheckpointLibrary_Light, KeepsNoActivationBetweenConvolutions) {
  constexpr std::int64_t kSide = 64;
  constexpr std::int64_t kActivation = 2 * kChannels * kSide * kSide * 4;  // bytes of [n, c, h, w]
  const auto kept_by_b = [](const std::string& plan) {
    Net net(/*dropout=*/0);
    net.stages.set_plan(plan);
    return step(net, kSide).stages[1].kept_bytes;
  };
  // Two results of convolutions and two of ReLU; Light keeps the convolutions' and the stage's
  // output, which lives until the next stage is done with it. The rest is statistics of [c].
  EXPECT_NEAR(static_cast<double>(kept_by_b("keep")) / kActivation, 4, 0.1);
  EXPECT_NEAR(static_cast<double>(kept_by_b("light")) / kActivation, 3, 0.1);
}

TEST(CheckpointLibrary_PeakBytes_FallFromKeepToLightToFull, AndStageBytesAddUpToThem) {
  const auto peak = [](const std::string& plan) {
    Net net;
    net.stages.set_plan(plan);
    const StepReading reading = step(net, 64);
    std::int64_t of_stages = 0;
    for (const StageReading& stage : reading.stages) {
      of_stages += stage.bytes_at_peak;
    }
    EXPECT_LE(of_stages, reading.live_before_bytes + reading.peak_bytes);
    EXPECT_GT(of_stages, reading.peak_bytes / 2);
    return reading.peak_bytes;
  };
  const std::int64_t keep = peak("keep");
  const std::int64_t light = peak("light");
  const std::int64_t full = peak("full");
  EXPECT_LT(light, keep);
  EXPECT_LT(full, light);
}

TEST(CheckpointLibrary_EvaluationWithoutGradients, GivesKeepsResult) {
  const auto logits = [](const std::string& plan) {
    at::manual_seed(3);
    Net net;
    net.eval();
    net.stages.set_plan(plan);
    const at::NoGradGuard no_grad;
    return net.forward(at::randn({1, 3, 8, 8}));
  };
  EXPECT_TRUE(at::equal(logits("keep"), logits("full")));
}

TEST(CheckpointLibrary_PlanChangedBetweenForwardAndBackward, AppliesToTheNextForward) {
  Net net;
  net.stages.set_plan("full");
  net.stages.begin_step();
  const at::Tensor loss = net.forward(at::randn({2, 3, 8, 8})).mean();
  net.stages.set_plan("keep");
  loss.backward();
  EXPECT_EQ(net.stages.end_step().stages[1].repeated_regions, 2);
  EXPECT_EQ(step(net).stages[1].repeated_regions, 0);
}

TEST(CheckpointLibrary_Budget, EndsInAnOutOfMemoryErrorAndTheNextStepRuns) {
  Net net;
  const std::int64_t live = step(net, 64).live_before_bytes;
  set_budget(c10::kCPU, live + 100'000);
  std::optional<bool> is_memory;
  try {
    step(net, 64);
  } catch (const std::exception& error) {
    is_memory = is_out_of_memory(error);
  }
  set_budget(c10::kCPU, 0);
  EXPECT_EQ(is_memory, true);
  EXPECT_GT(step(net, 64).peak_bytes, 100'000);
}

TEST(CheckpointLibrary_WrongUse_IsRefusedWithItsName, AndNothingChanges) {
  Net net;
  net.stages.set_plan("a=full");
  EXPECT_THAT(message_of([&] { net.stages.set_plan("offload"); }), HasSubstr("offload"));
  EXPECT_THAT(message_of([&] { net.stages.set_plan("d=full"); }), HasSubstr("d"));
  EXPECT_THAT(message_of([&] {
                static_cast<void>(net.stages.run("d", block(3, 0), at::randn({1, 3, 8, 8})));
              }),
              HasSubstr("a, b, c"));
  EXPECT_THAT(message_of([] { const Stages twice({"a", "a"}); }), HasSubstr("'a'"));
  EXPECT_THAT(message_of([] { const Stages unreadable({"a=b"}); }), HasSubstr("'a=b'"));
  EXPECT_EQ(net.stages.plan(), "a=full");
}

TEST(CheckpointLibrary_CostOfALayer, IsLowWithoutWeightsOfMoreThanOneDimension) {
  EXPECT_EQ(layer_of(torch::nn::AnyModule(torch::nn::ReLU())).cost, Cost::low);
  EXPECT_EQ(layer_of(torch::nn::AnyModule(torch::nn::BatchNorm2d(4))).cost, Cost::low);
  EXPECT_EQ(layer_of(torch::nn::AnyModule(torch::nn::MaxPool2d(2))).cost, Cost::low);
  EXPECT_EQ(layer_of(torch::nn::AnyModule(conv3x3(3))).cost, Cost::high);
  EXPECT_EQ(layers_of(*block(3, 0.5)).size(), 7U);
}

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  headroom::install();
  at::set_num_threads(1);
  testing::InitGoogleMock(&count, arguments);
  return RUN_ALL_TESTS();
}
