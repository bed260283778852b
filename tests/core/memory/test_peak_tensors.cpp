#include "core/memory/peak_tensors.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/memory/block_history.hpp"

namespace headroom::memory {
namespace {

using plan::PeakTensor;
using plan::Phase;

/// Four blocks at two addresses, and one that was there before.
class SharedAddresses : public testing::Test {
 protected:
  SharedAddresses() {
    add(100, 0, 1);
    add(50, 1, 2);
    add(-100, 0, 1);
    add(70, 0, 3);
    named_ = {{.tensor = {.block = &places_[2]}, .moment = 2, .block = MeterBlock{.bytes = 9}}};
    add(-9, 2, kNoStage);
  }
  void add(std::int64_t bytes, std::size_t place, int stage) {
    events_.push_back({.bytes = bytes, .stage = stage, .block = &places_.at(place)});
  }

  std::array<int, 3> places_{};
  std::vector<MeterEvent> events_{};
  std::vector<NamedTensor> named_{};
};

TEST_F(SharedAddresses, EachMoment_FindsTheBlockThatWasThereThen) {
  const BlockHistory history(events_, named_);
  const auto bytes_at = [&](std::size_t place, std::size_t moment) -> std::int64_t {
    const std::size_t block = history.find(&places_.at(place), moment);
    return block == BlockHistory::kNone ? 0 : history.blocks()[block].facts.bytes;
  };
  EXPECT_EQ(bytes_at(0, 0), 0);
  EXPECT_EQ(bytes_at(0, 1), 100);
  EXPECT_EQ(bytes_at(0, 2), 100);
  EXPECT_EQ(bytes_at(0, 3), 0);
  EXPECT_EQ(bytes_at(0, 4), 70);
  EXPECT_EQ(bytes_at(1, 5), 50);
  EXPECT_EQ(bytes_at(2, 0), 9) << "it was there before";
  EXPECT_EQ(bytes_at(2, 5), 0);
}

class PeakTensors : public testing::Test {
 protected:
  /// What `work` leaves live and named, with the peak at its end.
  template <typename Work>
  plan::StepTimeline peak_of(Work work) {
    CpuMeter& meter = cpu_meter();
    meter.begin_window();
    meter.begin_recording(10000);
    plan::StepTimeline timeline;
    timeline.owners = {"enc1", "dec1", "head", "other"};
    {
      TensorLog log;
      work(log);
      recording_ = meter.end_recording();
      add_peak_tensors(timeline, recording_, log);
    }
    return timeline;
  }

  [[nodiscard]] static const PeakTensor* find(const plan::StepTimeline& timeline,
                                              const std::string& role) {
    const auto found = std::ranges::find(timeline.peak_tensors, role, &PeakTensor::role);
    return found == timeline.peak_tensors.end() ? nullptr : &*found;
  }

  MeterRecording recording_{};
};

TEST_F(PeakTensors, OutputOfAnOperationWithAParameter_HasTheModulesName) {
  const at::Tensor weight = at::randn({8, 4, 3, 3}).requires_grad_(true);
  at::Tensor result;
  const auto timeline = peak_of([&](TensorLog& log) {
    log.name(weight, TensorUse::parameter, "enc1.conv_a.weight");
    const StageMark stage(1);
    const PhaseMark phase(Phase::forward);
    result = at::conv2d(at::ones({1, 4, 32, 32}), weight);
  });
  const PeakTensor* const output = find(timeline, "output of enc1.conv_a");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->bytes, 8 * 30 * 30 * 4);
  EXPECT_EQ(output->shape, (std::vector<std::int64_t>{1, 8, 30, 30}));
  EXPECT_EQ(output->dtype, "fp32");
  EXPECT_EQ(output->owner, 1);
  EXPECT_EQ(output->phase, Phase::forward);
  const PeakTensor* const parameter = find(timeline, "parameter enc1.conv_a.weight");
  ASSERT_NE(parameter, nullptr);
  EXPECT_EQ(parameter->owner, 3) << "allocated outside every stage";
}

TEST_F(PeakTensors, ViewsAndChangesInPlace_KeepTheNameOfWhatMadeTheMemory) {
  at::Tensor x;
  const auto timeline = peak_of([&](TensorLog&) {
    x = at::randn({64, 64});
    x = x.view({4096}).relu_().reshape({32, 128});
  });
  ASSERT_NE(find(timeline, "output of randn"), nullptr);
  EXPECT_EQ(find(timeline, "output of randn")->shape, (std::vector<std::int64_t>{64, 64}));
  EXPECT_EQ(find(timeline, "output of relu_"), nullptr);
  EXPECT_EQ(find(timeline, "output of view"), nullptr);
}

TEST_F(PeakTensors, MemoryThatAnOperationOnlyNeedsInside_IsItsOwn) {
  const auto timeline = peak_of([&](TensorLog&) {
    // Its largest moment lies inside: the transposed copy of x.
    static_cast<void>(at::matmul(at::randn({4, 64, 64}).transpose(0, 2), at::randn({4, 64})));
  });
  const bool has_inner = std::ranges::any_of(timeline.peak_tensors, [](const PeakTensor& tensor) {
    return tensor.role == "made in matmul" || tensor.role == "output of matmul";
  });
  EXPECT_TRUE(has_inner);
}

TEST_F(PeakTensors, CopyOfAParameter_SaysSoAndPassesItsNameOn) {
  const at::Tensor weight = at::randn({8, 4, 3, 3});
  at::Tensor copy, result;
  const auto timeline = peak_of([&](TensorLog& log) {
    log.name(weight, TensorUse::parameter, "head.weight");
    copy = weight.to(at::kBFloat16);
    result = at::conv2d(at::ones({1, 4, 32, 32}, at::kBFloat16), copy);
  });
  ASSERT_NE(find(timeline, "copy of head.weight"), nullptr);
  EXPECT_EQ(find(timeline, "copy of head.weight")->dtype, "bf16");
  EXPECT_NE(find(timeline, "output of head"), nullptr);
}

TEST_F(PeakTensors, Gradients_AreNamedByTheirModuleAndTheirParameter) {
  const at::Tensor weight = at::randn({8, 4, 3, 3}).requires_grad_(true);
  at::Tensor x = at::ones({1, 4, 64, 64}).requires_grad_(true);
  const auto timeline = peak_of([&](TensorLog& log) {
    log.name(weight, TensorUse::parameter, "enc1.conv_a.weight");
    at::conv2d(x, weight).sum().backward();
    log.name(weight.grad(), TensorUse::gradient, "enc1.conv_a.weight");
    x = at::ones({1 << 20});
  });
  ASSERT_NE(find(timeline, "gradient of enc1.conv_a.weight"), nullptr);
  EXPECT_EQ(find(timeline, "gradient of enc1.conv_a.weight")->shape, weight.sizes().vec());
}

TEST_F(PeakTensors, MemoryThatNobodySpeaksOf_IsCountedAsNotNamed) {
  const at::Tensor before = at::ones({1000});
  c10::DataPtr raw;
  const auto timeline = peak_of([&](TensorLog&) { raw = cpu_meter().allocate(12345); });
  EXPECT_TRUE(timeline.peak_tensors.empty());
  EXPECT_EQ(timeline.peak_unnamed_bytes, cpu_meter().reading().peak_bytes);
  EXPECT_GE(timeline.peak_unnamed_blocks, 2);
}

TEST_F(PeakTensors, ForeignMemory_IsNoPartOfThePeak) {
  std::array<float, 16> values{};
  const auto timeline = peak_of([&](TensorLog& log) {
    log.name(at::from_blob(values.data(), {16}), TensorUse::batch, "image");
    log.name(at::Tensor(), TensorUse::batch, "labels");
  });
  EXPECT_TRUE(timeline.peak_tensors.empty());
}

TEST_F(PeakTensors, OperationThatThrows_LeavesTheLogWhole) {
  at::Tensor x;
  const auto timeline = peak_of([&](TensorLog&) {
    EXPECT_ANY_THROW(static_cast<void>(at::matmul(at::ones({2, 3}), at::ones({2, 3}))));
    x = at::randn({100});
  });
  EXPECT_NE(find(timeline, "output of randn"), nullptr);
}

}  // namespace
}  // namespace headroom::memory
