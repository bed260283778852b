// Every hazard of activation checkpointing that a region can meet, each against the same network
// without regions.

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <optional>

#include "core/base/error.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/memory/meter.hpp"
#include "core/memory/step_recorder.hpp"
#include "tests/core/memory/region_net.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::memory {
namespace {

TEST(Checkpoint_EveryNormAndDropout, GradientsBuffersAndGeneratorAreEqual) {
  for (const Norm norm : {Norm::none, Norm::batch, Norm::instance, Norm::group}) {
    for (const double dropout : {0.0, 0.3}) {
      SCOPED_TRACE(testing::Message()
                   << "norm " << static_cast<int>(norm) << " dropout " << dropout);
      expect_equal_with_and_without(norm, dropout, one_step);
    }
  }
}

TEST(Checkpoint_SeveralSteps, StatisticsMoveOnceAStep) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    for (int step = 0; step < 3; ++step) {
      net.zero_grad();
      net.forward(image(), with_regions).square().mean().backward();
    }
  });
}

TEST(Checkpoint_ForwardWithoutBackward, StatisticsMoveOnce) {
  expect_equal_with_and_without(Norm::batch, 0, [](Net& net, bool with_regions) {
    static_cast<void>(net.forward(image(), with_regions));
  });
}

TEST(Checkpoint_FrozenPrefixes, UnfrozenGradientsAreEqual) {
  for (std::size_t frozen = 0; frozen <= 3; ++frozen) {
    expect_equal_with_and_without(Norm::batch, 0, [frozen](Net& net, bool with_regions) {
      for (std::size_t i = 0; i < frozen; ++i) {
        for (const at::Tensor& p :
             {net.convs[i]->weight, net.convs[i]->bias, net.weights[i], net.biases[i]}) {
          p.set_requires_grad(false);
        }
      }
      const at::Tensor y = net.forward(image(), with_regions);
      if (y.requires_grad()) {
        y.square().mean().backward();
      }
    });
  }
}

TEST(Checkpoint_LaterUnfreezing, LearnsFromTheNextStep) {
  expect_equal_with_and_without(Norm::batch, 0, [](Net& net, bool with_regions) {
    net.convs[0]->weight.set_requires_grad(false);
    one_step(net, with_regions);
    net.convs[0]->weight.set_requires_grad(true);
    one_step(net, with_regions);
    EXPECT_TRUE(net.convs[0]->weight.grad().defined());
  });
}

TEST(Checkpoint_InputThatNeedsGrad, GetsTheSameGradient) {
  expect_equal_with_and_without(Norm::batch, 0, [](Net& net, bool with_regions) {
    at::Tensor x = image().requires_grad_();
    net.forward(x, with_regions).square().mean().backward();
    net.convs[0]->bias.mutable_grad() = x.grad().sum({0, 2, 3}).sum().expand({8}).clone();
  });
}

TEST(Checkpoint_RetainedGraph, SecondBackwardAddsTheSameAgain) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    const at::Tensor loss = net.forward(image(), with_regions).square().mean();
    loss.backward({}, /*retain_graph=*/true);
    loss.backward();
  });
}

TEST(Checkpoint_DoubleBackward, GivesTheSameSecondDerivatives) {
  expect_equal_with_and_without(Norm::none, 0, [](Net& net, bool with_regions) {
    at::Tensor x = image().requires_grad_();
    const at::Tensor y = net.forward(x, with_regions).pow(3).mean();
    const at::Tensor slope =
        torch::autograd::grad({y}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
    slope.square().sum().backward();
  });
}

TEST(Checkpoint_GradFunction, GivesTheSameAsBackward) {
  expect_equal_with_and_without(Norm::batch, 0, [](Net& net, bool with_regions) {
    const at::Tensor y = net.forward(image(), with_regions).square().mean();
    const auto grads = torch::autograd::grad({y}, {net.convs[0]->weight});
    net.convs[0]->weight.mutable_grad() = grads[0];
  });
}

TEST(Checkpoint_Accumulation, OverMicroBatchesIsEqual) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    for (int micro = 0; micro < 3; ++micro) {
      net.forward(at::randn({2, 3, 8, 8}), with_regions).square().mean().backward();
    }
  });
}

TEST(Checkpoint_TwoForwardsBeforeBackward, DoNotMix) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    const at::Tensor a = net.forward(at::randn({2, 3, 8, 8}), with_regions).square().mean();
    const at::Tensor b = net.forward(at::randn({2, 3, 12, 12}), with_regions).mean();
    b.backward();
    a.backward();
  });
}

TEST(Checkpoint_ShapesThatChange, BetweenSteps_AreEqual) {
  expect_equal_with_and_without(Norm::batch, 0, [](Net& net, bool with_regions) {
    for (const std::int64_t side : {8, 6, 16}) {
      net.forward(image(side), with_regions).square().mean().backward();
    }
  });
}

TEST(Checkpoint_Autocast, Bf16_ForwardInsideBackwardOutside_IsEqual) {
  for (const Norm norm : {Norm::none, Norm::batch, Norm::group}) {
    expect_equal_with_and_without(norm, 0.2, [](Net& net, bool with_regions) {
      for (int step = 0; step < 2; ++step) {
        at::autocast::set_autocast_enabled(at::kCPU, true);
        at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
        const at::Tensor y = net.forward(image(), with_regions);
        EXPECT_EQ(net.norm == Norm::none ? y.scalar_type() : at::kBFloat16, at::kBFloat16);
        at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, false);
        y.to(at::kFloat).square().mean().backward();
        EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
        EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
      }
    });
  }
}

TEST(Checkpoint_NoGrad, NeverRepeatsAndNeedsNoGraph) {
  Net net(Norm::batch, 0);
  StepRecorder recorder(c10::kCPU, 1);
  recorder.begin_step();
  const at::NoGradGuard no_grad;
  const at::Tensor y = net.forward(image(), true);
  EXPECT_FALSE(y.requires_grad());
  EXPECT_EQ(recorder.end_step().stages[0].regions, 0);
}

TEST(Checkpoint_EveryRegion, IsRepeatedExactlyOnceABackward) {
  Net net(Norm::batch, 0);
  StepRecorder recorder(c10::kCPU, 1);
  recorder.begin_step();
  one_step(net, true);
  const StageMeasurement stage = recorder.end_step().stages[0];
  // Three norm-acts, and the two convolution regions that begin with a sigmoid; the first saves its
  // input only.
  EXPECT_EQ(stage.regions, 5);
  EXPECT_EQ(stage.recomputed_regions, 5);
}

TEST(Checkpoint_NestedRegions, InnerIsPartOfTheOuter) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    std::optional<ForwardScope> scope;
    if (with_regions) {
      scope.emplace();
    }
    const RegionOptions options{.stage = 0, .stage_name = "outer"};
    Tensors in{image()};
    at::manual_seed(5);
    const at::Tensor y = run_full(
        [&net](Tensors v) {
          Tensors convolved{net.convs[0](v[0])};
          const at::Tensor a = run_repeatable([&net](Tensors w) { return net.norm_act(0, w[0]); },
                                              convolved, {.stage = 0, .stage_name = "inner"});
          return net.convs[1](a);
        },
        in, options);
    y.square().mean().backward();
  });
}

void expect_backward_error_naming(const std::string& stage, const at::Tensor& y) {
  const auto error = tests::thrown_error([&] { y.sum().backward(); });
  ASSERT_TRUE(error) << "it went unnoticed";
  EXPECT_NE(std::string(error->what()).find(stage), std::string::npos) << error->what();
}

TEST(Checkpoint_KeptInputChangedInPlace, IsDetectedWithTheStagesName) {
  Net net(Norm::none, 0);
  const ForwardScope scope;
  at::Tensor x = at::randn({2, 3, 8, 8});
  Tensors in{x};
  const at::Tensor y = run_full([&net](Tensors v) { return net.convs[0](v[0].sigmoid()); }, in,
                                {.stage = 0, .stage_name = "enc1"});
  x.add_(1);
  expect_backward_error_naming("enc1", y);
}

TEST(Checkpoint_ViewOfTheInput, IsNotTakenForTheInput) {
  // Both halves share the input's storage; a check of the storage alone would hand out the whole.
  const auto run = [](bool with_regions) {
    at::manual_seed(1);
    at::Tensor x = at::randn({2, 4, 6, 6}).requires_grad_();
    std::optional<ForwardScope> scope;
    if (with_regions) {
      scope.emplace();
    }
    Tensors in{x};
    const at::Tensor y = run_full(
        [](Tensors v) { return v[0].narrow(1, 0, 2).exp() * v[0].narrow(1, 2, 2).sigmoid(); }, in,
        {.stage = 0, .stage_name = "views"});
    y.square().sum().backward();
    return x.grad().clone();
  };
  EXPECT_TRUE(at::equal(run(false), run(true)));
}

TEST(Checkpoint_OutputChangedInPlaceLater, IsNotTakenForTheRegions) {
  const auto run = [](bool with_regions) {
    at::manual_seed(1);
    at::Tensor x = at::randn({2, 4, 6, 6}).requires_grad_();
    std::optional<ForwardScope> scope;
    if (with_regions) {
      scope.emplace();
    }
    Tensors in{x};
    at::Tensor y = run_repeatable([](Tensors v) { return v[0].exp().mul(2); }, in,
                                  {.stage = 0, .stage_name = "exp"});
    y.add_(1);
    y.square().sum().backward();
    return x.grad().clone();
  };
  EXPECT_TRUE(at::equal(run(false), run(true)));
}

TEST(Checkpoint_UnequalRepeat, IsAnErrorWithTheStagesName) {
  at::Tensor x = at::randn({2, 4, 6, 6}).requires_grad_();
  const ForwardScope scope;
  Tensors in{x};
  const at::Tensor y =
      run_full([](Tensors v) { return is_repeating() ? v[0] * 2.0 : v[0].exp().exp(); }, in,
               {.stage = 0, .stage_name = "dec1"});
  expect_backward_error_naming("dec1", y);
}

TEST(Checkpoint_FailedAllocation, AtEveryOne_LeavesNothingBehindAndTheNextStepWorks) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    const at::Tensor mean = net.means[0].clone(), variance = net.variances[0].clone();
    for (int n = 1; n < 400; n += with_regions ? 1 : 400) {
      const std::int64_t live = meter_of(c10::kCPU).reading().live_bytes;
      bool failed = false;
      try {
        fail_allocation(n);
        one_step(net, with_regions);
      } catch (const std::exception& error) {
        failed = true;
        EXPECT_TRUE(is_out_of_memory(error)) << error.what();
      }
      fail_allocation(0);
      net.zero_grad();
      EXPECT_FALSE(is_repeating());
      EXPECT_TRUE(at::GradMode::is_enabled());
      if (failed) {
        EXPECT_EQ(meter_of(c10::kCPU).reading().live_bytes, live) << "allocation " << n;
      } else {
        break;
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      net.means[i].zero_();
      net.variances[i].fill_(1);
    }
    one_step(net, with_regions);
  });
}

TEST(Checkpoint_LongChain, FreesARegionsTensorsBeforeTheNextRepeats) {
  const auto peak = [](bool with_regions) {
    at::Tensor x = at::randn({1, 4, 128, 128}).requires_grad_();
    MemoryMeter& meter = meter_of(c10::kCPU);
    meter.begin_window();
    std::optional<ForwardScope> scope;
    if (with_regions) {
      scope.emplace();
    }
    at::Tensor y = x;
    for (int i = 0; i < 24; ++i) {
      Tensors in;
      in.push_back(std::move(y));
      y = run_full([](Tensors v) { return v[0].sin().exp().tanh().sin(); }, std::move(in),
                   {.stage = 0, .stage_name = "chain"});
    }
    y.sum().backward();
    return meter.reading().peak_bytes - meter.reading().live_before_bytes;
  };
  EXPECT_LT(static_cast<double>(peak(true)), 0.5 * static_cast<double>(peak(false)));
}

}  // namespace
}  // namespace headroom::memory
