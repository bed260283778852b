// Hazards that public reports of checkpointing name, each against the same computation without
// regions.

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/memory/meter.hpp"
#include "tests/core/memory/region_net.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::memory {
namespace {

enum class Kind { plain, full, repeatable };

at::Tensor run(Kind kind, const Body& body, Tensors inputs) {
  const RegionOptions options{.stage = 0, .stage_name = "stage"};
  switch (kind) {
    case Kind::full:
      return run_full(body, std::move(inputs), options);
    case Kind::repeatable:
      return run_repeatable(body, std::move(inputs), options);
    case Kind::plain:
      break;
  }
  return body(std::move(inputs));
}

/// What `compute` gives must be the same whatever `kind` its regions have.
void expect_equal_for_all_kinds(const std::function<Tensors(Kind)>& compute) {
  const auto of_kind = [&](Kind kind) {
    at::manual_seed(5);
    std::optional<ForwardScope> scope;
    if (kind != Kind::plain) {
      scope.emplace();
    }
    return compute(kind);
  };
  const Tensors plain = of_kind(Kind::plain);
  for (const Kind kind : {Kind::full, Kind::repeatable}) {
    const Tensors found = of_kind(kind);
    ASSERT_EQ(found.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_TRUE(at::equal(plain[i], found[i]))
          << "kind " << static_cast<int>(kind) << ", tensor " << i;
    }
  }
}

class AutocastOn {
 public:
  explicit AutocastOn(at::ScalarType type) {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, type);
  }
  ~AutocastOn() {
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }
  AutocastOn(const AutocastOn&) = delete;
  AutocastOn& operator=(const AutocastOn&) = delete;
};

struct NamedOperation {
  const char* name;
  std::function<at::Tensor(const at::Tensor&)> run;
};

void leaky_relu_in_place(at::Tensor& x) { at::leaky_relu_(x, 0.1); }
void elu_in_place(at::Tensor& x) { at::elu_(x); }

at::Tensor changed(const at::Tensor& x, void (*change)(at::Tensor&)) {
  at::Tensor y = x.mul(2);
  change(y);
  return y;
}

TEST(Checkpoint_EveryOperation, InARegion_HasItsOwnGradient) {
  const std::vector<NamedOperation> operations = {
      {"relu_", [](const at::Tensor& x) { return x.mul(2).relu_(); }},
      {"leaky_relu", [](const at::Tensor& x) { return at::leaky_relu(x, 0.1); }},
      {"leaky_relu_", [](const at::Tensor& x) { return changed(x, &leaky_relu_in_place); }},
      {"rrelu", [](const at::Tensor& x) { return at::rrelu(x, 0.1, 0.4, /*training=*/true); }},
      {"elu_", [](const at::Tensor& x) { return changed(x, &elu_in_place); }},
      {"gelu", [](const at::Tensor& x) { return at::gelu(x); }},
      {"silu", [](const at::Tensor& x) { return at::silu(x); }},
      {"hardswish", [](const at::Tensor& x) { return at::hardswish(x); }},
      {"softplus", [](const at::Tensor& x) { return at::softplus(x); }},
      {"max_pool", [](const at::Tensor& x) { return at::max_pool2d(x, 2); }},
      {"avg_pool", [](const at::Tensor& x) { return at::avg_pool2d(x, 2); }},
      {"nearest",
       [](const at::Tensor& x) {
         return at::upsample_nearest2d(x, {16, 16});
       }},
      {"bilinear",
       [](const at::Tensor& x) {
         return at::upsample_bilinear2d(x, {16, 16}, false);
       }},
      {"pixel_shuffle", [](const at::Tensor& x) { return at::pixel_shuffle(x, 2); }},
      {"instance_norm_relu_",
       [](const at::Tensor& x) {
         return at::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false).relu_();
       }},
      {"group_norm", [](const at::Tensor& x) { return at::group_norm(x, 2); }},
      {"dropout", [](const at::Tensor& x) { return at::dropout(x, 0.3, true); }},
      {"feature_dropout", [](const at::Tensor& x) { return at::feature_dropout(x, 0.3, true); }},
      {"softmax", [](const at::Tensor& x) { return at::softmax(x, 1); }},
      {"view", [](const at::Tensor& x) { return x.narrow(1, 1, 2).exp(); }},
  };
  for (const NamedOperation& operation : operations) {
    SCOPED_TRACE(operation.name);
    expect_equal_for_all_kinds([&](Kind kind) -> Tensors {
      at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
      const at::Tensor y = run(kind, [&](Tensors v) { return operation.run(v[0]); }, {x.sin()});
      const at::Tensor next = y.exp().square().sum();
      next.backward();
      return {x.grad(), next.detach(), at::rand({3})};
    });
  }
}

TEST(Checkpoint_BodyThatChangesItsInput, IsDetectedWithTheStagesName) {
  const ForwardScope scope;
  const at::Tensor weight = at::randn({4, 4, 1, 1}).requires_grad_();
  Tensors in{at::randn({2, 4, 6, 6})};
  const at::Tensor y = run_full([&](Tensors v) { return at::conv2d(v[0].relu_(), weight).sin(); },
                                in, {.stage = 0, .stage_name = "dec2"});
  const auto error = tests::thrown_error([&] { y.sum().backward(); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("dec2"), std::string::npos) << error->what();
}

TEST(Checkpoint_InputUsedByTwoRegions, IsIntactAndGetsBothGradients) {
  expect_equal_for_all_kinds([](Kind kind) -> Tensors {
    at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
    const at::Tensor h = run(kind, [](Tensors v) { return v[0].mul(2).relu_(); }, {x});
    const at::Tensor before = h.detach().clone();
    const at::Tensor a = run(kind, [](Tensors v) { return at::max_pool2d(v[0], 2); }, {h});
    const at::Tensor b = run(kind, [](Tensors v) { return v[0].sin(); }, {h});
    (a.square().sum() + b.pow(3).sum()).backward();
    return {x.grad(), before - h.detach()};
  });
}

TEST(Checkpoint_TwoInputsAndAMask, PassOnEveryGradient) {
  expect_equal_for_all_kinds([](Kind kind) -> Tensors {
    at::Tensor skip = at::randn({2, 4, 8, 8}).requires_grad_();
    at::Tensor up = at::randn({2, 4, 8, 8}).requires_grad_();
    const at::Tensor unused = at::randn({2, 1, 8, 8}).requires_grad_();
    const at::Tensor mask = at::randint(0, 2, {2, 4, 8, 8}, at::kLong);
    const double factor = 1.5;
    const at::Tensor y = run(kind,
                             [factor](Tensors v) {
                               return (at::cat({v[0].exp(), v[1] * v[2]}, 1) * factor).tanh();
                             },
                             {skip, up, mask, unused});
    y.square().sum().backward();
    EXPECT_FALSE(unused.grad().defined());
    return {skip.grad(), up.grad()};
  });
}

TEST(Checkpoint_TwoHeads, SequentialAndSummedBackwardsAreEqual) {
  for (const bool sequential : {false, true}) {
    expect_equal_for_all_kinds([sequential](Kind kind) -> Tensors {
      at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
      const at::Tensor h = run(kind, [](Tensors v) { return v[0].exp().tanh(); }, {x});
      const at::Tensor a = h.square().mean(), b = h.pow(3).mean();
      if (sequential) {
        a.backward({}, /*retain_graph=*/true);
        b.backward();
      } else {
        (a + b).backward();
      }
      return {x.grad()};
    });
  }
}

TEST(Checkpoint_RegionThatSavesNothing, IsRepeatedForItsConsumer) {
  int calls = 0;
  const ForwardScope scope;
  at::Tensor a = at::randn({2, 4, 8, 8}).requires_grad_(), b = at::randn({2, 4, 8, 8});
  const at::Tensor expected = 2 * a.detach();
  at::Tensor joined = run_repeatable(
      [&calls](Tensors v) {
        ++calls;
        return at::cat({v[0], v[1]}, 1);
      },
      {a, b}, {.stage = 0, .stage_name = "cat"});
  const at::Tensor loss = joined.square().sum();
  joined.reset();
  EXPECT_EQ(calls, 1);
  loss.backward();
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(at::equal(a.grad(), expected));
}

TEST(Checkpoint_FreedOutput_WhoseMemoryIsUsedAgain, IsNotTakenForTheNewTensor) {
  expect_equal_for_all_kinds([](Kind kind) -> Tensors {
    at::Tensor x = at::randn({2, 4, 64, 64}).requires_grad_();
    at::Tensor sum = at::zeros({});
    for (int i = 0; i < 8; ++i) {
      at::Tensor y = run(kind, [](Tensors v) { return v[0].detach().exp(); }, {x});
      y.reset();
      const at::Tensor z = x + i;  // gets the block, and perhaps the storage object, that y had
      sum = sum + z.square().sum();
    }
    sum.backward();
    return {x.grad()};
  });
}

TEST(Checkpoint_BodyCalls, AreOneWithoutGradAndTwoWithIt) {
  const auto calls = [](bool with_grad) {
    int count = 0;
    const at::AutoGradMode mode(with_grad);
    const ForwardScope scope;
    at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
    const at::Tensor y = run_full(
        [&count](Tensors v) {
          ++count;
          return v[0].exp().sin().exp();
        },
        {x}, {.stage = 0, .stage_name = "stage"});
    if (with_grad) {
      y.sum().backward();
    }
    return count;
  };
  EXPECT_EQ(calls(false), 1);
  EXPECT_EQ(calls(true), 2);
}

TEST(Checkpoint_ErrorInABody, LeavesEverythingAsItWas) {
  for (const bool in_repeat : {false, true}) {
    for (const Kind kind : {Kind::full, Kind::repeatable}) {
      const std::int64_t live = meter_of(c10::kCPU).reading().live_bytes;
      {
        const ForwardScope scope;
        at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
        const auto body = [in_repeat](Tensors v) {
          at::Tensor y = v[0].exp();
          if (is_repeating() == in_repeat) throw std::runtime_error("body failed");
          return y.exp();
        };
        const AutocastOn autocast(at::kBFloat16);
        EXPECT_THROW(run(kind, body, {x}).sin().sum().backward(), std::runtime_error);
        EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCPU));
        EXPECT_TRUE(at::autocast::is_autocast_cache_enabled());
      }
      EXPECT_FALSE(is_repeating());
      EXPECT_TRUE(at::GradMode::is_enabled());
      EXPECT_EQ(meter_of(c10::kCPU).reading().live_bytes, live);
      expect_equal_with_and_without(Norm::batch, 0.2, one_step);
    }
  }
}

TEST(Checkpoint_ErrorInABackwardWithBranches, FreesTheWholeGraph) {
  // LibTorch leaves operations that were ready when another failed in the thread's queue.
  at::Tensor x = at::randn({2, 4, 32, 32}).requires_grad_();
  const std::int64_t live = meter_of(c10::kCPU).reading().live_bytes;
  {
    at::Tensor sum = at::zeros({});
    for (int i = 0; i < 4; ++i) sum = sum + x.exp().sin().sum();
    at::Tensor failing = x.exp();
    failing.register_hook(
        [](const at::Tensor&) -> at::Tensor { throw std::runtime_error("backward failed"); });
    sum = sum + failing.sin().sum();
    EXPECT_THROW(sum.backward(), std::runtime_error);
  }
  x.mutable_grad() = at::Tensor();
  EXPECT_EQ(meter_of(c10::kCPU).reading().live_bytes, live);
}

TEST(Checkpoint_BackwardOnAnotherThread, IsEqual) {
  expect_equal_with_and_without(Norm::batch, 0.2, [](Net& net, bool with_regions) {
    const AutocastOn autocast(at::kBFloat16);
    const at::Tensor loss = net.forward(image(), with_regions).to(at::kFloat).square().mean();
    std::thread([&] { loss.backward(); }).join();
  });
}

TEST(Checkpoint_TwoNetworksOnTwoThreads, DoNotDisturbEachOther) {
  std::array<std::vector<at::Tensor>, 2> found;
  const auto train = [](Net& net, bool with_regions) {
    for (int step = 0; step < 20; ++step) {
      net.forward(at::ones({2, 3, 8, 8}) * step, with_regions).square().mean().backward();
    }
  };
  const auto gradients = [&](Net& net, bool with_regions) {
    train(net, with_regions);
    std::vector<at::Tensor> all;
    for (const at::Tensor& p : net.parameters()) all.push_back(p.grad().clone());
    return all;
  };
  Net plain(Norm::batch, 0), first(Norm::batch, 0), second(Norm::batch, 0);
  const std::vector<at::Tensor> expected = gradients(plain, false);
  std::thread other([&] { found[0] = gradients(first, true); });
  found[1] = gradients(second, true);
  other.join();
  for (const auto& each : found) {
    ASSERT_EQ(each.size(), expected.size());
    for (std::size_t i = 0; i < each.size(); ++i) {
      EXPECT_TRUE(at::equal(each[i], expected[i])) << i;
    }
  }
}

TEST(Checkpoint_ManyRegions, InSequenceAndNested_EndOnAThread) {
  const std::function<at::Tensor(at::Tensor, int)> nested = [&nested](at::Tensor x, int depth) {
    if (depth == 0) {
      return x.sin();
    }
    return run_full([&nested, depth](Tensors v) { return nested(v[0].exp().neg(), depth - 1); },
                    {std::move(x)}, {.stage = 0, .stage_name = "nested"});
  };
  at::Tensor gradient;
  std::thread([&] {
    const ForwardScope scope;
    at::Tensor x = at::ones({1, 1, 2, 2}).requires_grad_();
    at::Tensor y = nested(x, 60);
    for (int i = 0; i < 200; ++i) {
      y = run_full([](Tensors v) { return v[0].sin().cos(); }, {y},
                   {.stage = 0, .stage_name = "chain"});
    }
    y.sum().backward();
    gradient = x.grad();
  }).join();
  ASSERT_TRUE(gradient.defined());
  EXPECT_TRUE(at::isfinite(gradient).all().item<bool>());
}

TEST(Checkpoint_Autocast, OfBothHalfTypes_RoundsTheSameInTheRepeat) {
  for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
    for (const Norm norm : {Norm::none, Norm::group}) {
      expect_equal_with_and_without(norm, 0.2, [type](Net& net, bool with_regions) {
        at::Tensor y;
        {
          const AutocastOn autocast(type);
          y = net.forward(image(), with_regions);
        }
        y.to(at::kFloat).square().mean().backward();
      });
    }
  }
}

TEST(Checkpoint_Autocast, ValuesBeyondTheRangeOfFp16_StayFiniteInBf16) {
  expect_equal_with_and_without(Norm::none, 0, [](Net& net, bool with_regions) {
    at::Tensor y;
    {
      const AutocastOn autocast(at::kBFloat16);
      y = net.forward(image() * 1e6, with_regions);
      EXPECT_GT(y.max().item<float>(), 0);
    }
    y.to(at::kFloat).mean().backward();
    for (const at::Tensor& p : net.convs[0]->parameters()) {
      EXPECT_TRUE(at::isfinite(p.grad()).all().item<bool>());
    }
  });
}

TEST(Checkpoint_Autocast, ForwardWithoutGradBefore_TakesNoGradientAway) {
  Net net(Norm::none, 0);
  {
    const AutocastOn autocast(at::kBFloat16);
    {
      const at::NoGradGuard no_grad;
      static_cast<void>(net.forward(image(), true));
    }
    net.forward(image(), true).to(at::kFloat).sum().backward();
  }
  for (const torch::nn::Conv2d& conv : net.convs) {
    EXPECT_TRUE(conv->weight.grad().defined());
  }
}

TEST(Checkpoint_Autocast, ManySteps_HoldNoMoreThanOne) {
  Net net(Norm::batch, 0.2);
  const auto live_after = [&net](int steps) {
    for (int i = 0; i < steps; ++i) {
      at::Tensor y;
      {
        const AutocastOn autocast(at::kBFloat16);
        const at::NoGradGuard no_grad;
        static_cast<void>(net.forward(image(), true));
        const at::AutoGradMode grad(true);
        y = net.forward(image(), true);
      }
      y.to(at::kFloat).square().mean().backward();
    }
    return meter_of(c10::kCPU).reading().live_bytes;
  };
  const std::int64_t after_one = live_after(1);
  EXPECT_EQ(live_after(45), after_one);
}

TEST(Checkpoint_RandomRegion, OnTensorsWithoutValues_NeedsNoGenerator) {
  const ForwardScope scope;
  at::Tensor x = at::empty({2, 4, 8, 8}, at::device(at::kMeta)).requires_grad_();
  run(Kind::full, [](Tensors v) { return at::dropout(v[0].sin(), 0.3, true); }, {x})
      .sum()
      .backward();
  EXPECT_EQ(x.grad().sizes(), x.sizes());
}

TEST(Checkpoint_RandomBody, IsNoticedWithoutBeingDeclared) {
  // Forward leaves the generator where it was for the one and not for the other; both repeat what
  // they drew.
  const auto gradient = [](Kind kind, double dropout) {
    at::manual_seed(9);
    const ForwardScope scope;
    const at::Tensor x = at::randn({2, 4, 8, 8}).requires_grad_();
    const auto body = [dropout](Tensors v) {
      const at::Tensor y = v[0].exp();
      return (dropout > 0 ? at::dropout(y, dropout, true) : y).exp();
    };
    const at::Tensor loss = run(kind, body, {x}).sum();
    at::rand({7});  // the stream goes on before backward
    loss.backward();
    return Tensors{x.grad(), at::rand({3})};
  };
  for (const double dropout : {0.0, 0.5}) {
    const Tensors plain = gradient(Kind::plain, dropout);
    for (const Kind kind : {Kind::full, Kind::repeatable}) {
      const Tensors found = gradient(kind, dropout);
      EXPECT_TRUE(at::equal(found[0], plain[0])) << dropout;
      EXPECT_TRUE(at::equal(found[1], plain[1])) << dropout;
    }
  }
}

}  // namespace
}  // namespace headroom::memory
