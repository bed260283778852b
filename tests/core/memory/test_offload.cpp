// Offload with a copy that only pretends: tensors move between two places in host memory, and it
// counts what was begun and what was waited for.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/memory/device_copy.hpp"
#include "core/memory/meter.hpp"
#include "core/memory/step_recorder.hpp"
#include "tests/core/memory/fake_device_copy.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::memory {
namespace {

using tests::FakeDeviceCopy;

Tensors one(at::Tensor tensor) {
  Tensors tensors;
  tensors.push_back(std::move(tensor));
  return tensors;
}

/// Two stages of three operations that save their result each.
at::Tensor two_stages(at::Tensor x) {
  for (int stage = 0; stage < 2; ++stage) {
    x = run_offloaded([](Tensors v) { return v[0].exp().tanh().sigmoid(); }, one(std::move(x)),
                      {.stage = stage, .stage_name = "enc" + std::to_string(stage + 1)});
    mark_stage_end(x);
  }
  return x;
}

class Offload : public testing::Test {
 protected:
  std::shared_ptr<FakeDeviceCopy> copy_ = std::make_shared<FakeDeviceCopy>();
  at::Tensor x_ = at::randn({2, 4, 32, 32}).requires_grad_();

  [[nodiscard]] at::Tensor forward(bool offloaded) {
    std::optional<ForwardScope> scope;
    if (offloaded) {
      scope.emplace(copy_);
    }
    return two_stages(x_);
  }
  [[nodiscard]] at::Tensor gradient(bool offloaded) {
    x_.mutable_grad() = at::Tensor();
    forward(offloaded).square().sum().backward();
    return x_.grad().clone();
  }
};

TEST_F(Offload, OfTwoStages_GivesTheSameGradient) {
  const at::Tensor plain = gradient(false);
  EXPECT_EQ(copy_->to_host_count, 0);
  EXPECT_TRUE(at::equal(plain, gradient(true)));
  EXPECT_EQ(copy_->to_host_count, 6);
  EXPECT_EQ(copy_->to_device_count, 6);
}

TEST_F(Offload, Forward_KeepsNoSavedTensorOnTheDevice) {
  const std::int64_t live = meter_of(c10::kCPU).reading().live_bytes;
  const at::Tensor y = forward(true);
  const std::int64_t one_tensor = 2 * 4 * 32 * 32 * 4;
  EXPECT_EQ(copy_->host_bytes, 6 * one_tensor);
  // What the fake holds, and the result.
  EXPECT_EQ(meter_of(c10::kCPU).reading().live_bytes - live, 7 * one_tensor);
}

TEST_F(Offload, Backward_FetchesEachTensorWhileItWorksOnTheOneAfter) {
  const auto ticking = [this](at::Tensor y) {
    y.register_hook([this](const at::Tensor&) { copy_->tick(); });
    return y;
  };
  at::Tensor x = x_;
  const ForwardScope scope(copy_);
  for (int stage = 0; stage < 2; ++stage) {
    x = run_offloaded(
        [&](Tensors v) { return ticking(ticking(ticking(v[0].exp()).tanh()).sigmoid()); }, one(x),
        {.stage = stage, .stage_name = "stage"});
    mark_stage_end(x);
  }
  x.sum().backward();
  ASSERT_EQ(copy_->fetches.size(), 6U);
  std::int64_t on_demand = 0;
  for (const FakeDeviceCopy::Fetch& fetch : copy_->fetches) {
    on_demand += fetch.first_waited_at == fetch.begun_at + 1 ? 1 : 0;
  }
  EXPECT_EQ(on_demand, 1);  // the very first: nothing is worked on before it
}

TEST_F(Offload, Backward_HoldsFewTensorsAtOnce) {
  const at::Tensor loss = forward(true).square().sum();
  loss.backward();
  EXPECT_LE(copy_->most_on_device, 3);
  EXPECT_EQ(copy_->on_device(), 0);
}

TEST_F(Offload, RetainedGraph_CanBeUsedTwice) {
  const auto twice = [this](bool offloaded) {
    x_.mutable_grad() = at::Tensor();
    const at::Tensor loss = forward(offloaded).square().sum();
    loss.backward({}, /*retain_graph=*/true);
    loss.backward();
    return x_.grad().clone();
  };
  EXPECT_TRUE(at::equal(twice(false), twice(true)));
}

TEST_F(Offload, OutputUsedByALaterStage_IsFetchedForEachUse) {
  const auto with_skip = [this](bool offloaded) {
    x_.mutable_grad() = at::Tensor();
    std::optional<ForwardScope> scope;
    if (offloaded) {
      scope.emplace(copy_);
    }
    const at::Tensor skip = run_offloaded([](Tensors v) { return v[0].exp(); }, one(x_),
                                          {.stage = 0, .stage_name = "enc1"});
    const at::Tensor deep = run_full([](Tensors v) { return v[0].sin().exp(); }, one(skip),
                                     {.stage = 1, .stage_name = "enc2"});
    (deep * skip).square().sum().backward();
    return x_.grad().clone();
  };
  const at::Tensor plain = with_skip(false);
  EXPECT_TRUE(at::equal(plain, with_skip(true)));
  EXPECT_EQ(copy_->to_host_count, 1);
  EXPECT_EQ(copy_->on_device(), 0);
}

TEST_F(Offload, TensorChangedInPlaceAfterwards_IsDetectedWithTheStagesName) {
  const ForwardScope scope(copy_);
  const at::Tensor h = x_ * 1;
  const at::Tensor y = run_offloaded([](Tensors v) { return v[0].sin(); }, one(h),
                                     {.stage = 0, .stage_name = "enc3"});
  h.detach().add_(1);
  const auto error = tests::thrown_error([&] { y.sum().backward(); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("enc3"), std::string::npos) << error->what();
}

TEST_F(Offload, WithoutGrad_CopiesNothing) {
  const at::NoGradGuard no_grad;
  static_cast<void>(forward(true));
  EXPECT_EQ(copy_->to_host_count, 0);
}

TEST_F(Offload, EveryTensor_IsCountedAsFetched) {
  StepRecorder recorder(c10::kCPU, 2);
  recorder.begin_step();
  static_cast<void>(gradient(true));
  const StepMeasurement step = recorder.end_step();
  for (const int stage : {0, 1}) {
    EXPECT_EQ(step.stages[static_cast<std::size_t>(stage)].regions, 3) << stage;
    EXPECT_EQ(step.stages[static_cast<std::size_t>(stage)].recomputed_regions, 3) << stage;
  }
}

TEST_F(Offload, FailedAllocation_AtEveryOne_LeavesNothingBehind) {
  const at::Tensor expected = gradient(false);
  x_.mutable_grad() = at::Tensor();
  const std::int64_t live = meter_of(c10::kCPU).reading().live_bytes;
  for (int n = 1; n < 100; ++n) {
    try {
      fail_allocation(n);
      EXPECT_TRUE(at::equal(gradient(true), expected));
      fail_allocation(0);
      break;
    } catch (const std::exception& error) {
      fail_allocation(0);
      EXPECT_TRUE(is_out_of_memory(error)) << error.what();
    }
    x_.mutable_grad() = at::Tensor();
    EXPECT_EQ(meter_of(c10::kCPU).reading().live_bytes, live) << "allocation " << n;
  }
  EXPECT_TRUE(at::equal(gradient(true), expected));
}

TEST(DeviceCopy, OfTheCpu_IsRefusedWithAReason) {
  const auto error = tests::thrown_error([] { static_cast<void>(make_device_copy(c10::kCPU)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::usage);
  EXPECT_NE(std::string(error->what()).find("host memory"), std::string::npos);
}

}  // namespace
}  // namespace headroom::memory
