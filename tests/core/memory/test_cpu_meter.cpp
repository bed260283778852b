#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "core/memory/cpu_meter.hpp"
#include "core/memory/meter.hpp"

namespace headroom::memory {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

at::Tensor tensor_of(std::int64_t bytes) { return at::empty({bytes}, at::kByte); }

class CpuMeterTest : public ::testing::Test {
 protected:
  void SetUp() override { meter_.begin_window(); }
  void TearDown() override {
    meter_.set_budget(0);
    fail_allocation(0);
  }
  [[nodiscard]] std::int64_t grown() const {
    const MeterReading reading = meter_.reading();
    return reading.live_bytes - reading.live_before_bytes;
  }
  MemoryMeter& meter_ = meter_of(c10::kCPU);
};

TEST_F(CpuMeterTest, Tensor_LivesAndDies_IsCountedToTheByte) {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{1000}, 3 * kMiB + 5}) {
    {
      const at::Tensor t = tensor_of(bytes);
      EXPECT_EQ(grown(), bytes);
    }
    EXPECT_EQ(grown(), 0);
  }
}

TEST_F(CpuMeterTest, Tensor_Data_IsAlignedTo64Bytes) {
  for (const std::int64_t bytes : {std::int64_t{3}, std::int64_t{70000}, 5 * kMiB}) {
    const at::Tensor t = tensor_of(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data_ptr()) % 64, 0U);
  }
}

TEST_F(CpuMeterTest, Peak_OfTwoTensorsAtOnce_IsTheirSum) {
  {
    const at::Tensor a = tensor_of(2 * kMiB);
    const at::Tensor b = tensor_of(kMiB);
  }
  const at::Tensor c = tensor_of(kMiB / 2);
  const MeterReading reading = meter_.reading();
  EXPECT_EQ(reading.peak_bytes - reading.live_before_bytes, 3 * kMiB);
}

TEST_F(CpuMeterTest, Peak_NamesStageAndPhaseAtWork) {
  const at::Tensor outside = tensor_of(100);
  {
    const StageMark stage(4);
    const PhaseMark phase(plan::Phase::backward);
    const at::Tensor inside = tensor_of(kMiB);
  }
  const MeterReading reading = meter_.reading();
  EXPECT_EQ(reading.peak_stage, 4);
  EXPECT_EQ(reading.peak_phase, plan::Phase::backward);
  EXPECT_EQ(reading.at_peak_by_stage[5], kMiB);
}

TEST_F(CpuMeterTest, ByStage_AtThePeak_AddsUpToThePeak) {
  std::vector<at::Tensor> tensors;
  for (int stage = kNoStage; stage < 9; ++stage) {
    const StageMark mark(stage);
    tensors.push_back(tensor_of(1000 * (stage + 2)));
  }
  const MeterReading reading = meter_.reading();
  std::int64_t sum = 0;
  for (const std::int64_t bytes : reading.at_peak_by_stage) {
    sum += bytes;
  }
  EXPECT_EQ(sum, reading.peak_bytes);
}

TEST_F(CpuMeterTest, Tensor_FreedOnAnotherThread_IsChargedBack) {
  {
    const StageMark mark(2);
    at::Tensor t = tensor_of(kMiB);
    std::jthread([t = std::move(t)]() mutable { t.reset(); }).join();
  }
  EXPECT_EQ(grown(), 0);
}

TEST_F(CpuMeterTest, Budget_Exceeded_ThrowsLibTorchsOwnError) {
  meter_.set_budget(meter_.reading().live_bytes + kMiB);
  const at::Tensor fits = tensor_of(kMiB);
  EXPECT_THROW(static_cast<void>(tensor_of(1)), c10::OutOfMemoryError);
  EXPECT_EQ(grown(), kMiB);
}

TEST_F(CpuMeterTest, Budget_Exceeded_IsRecognisedAsOutOfMemory) {
  meter_.set_budget(1);
  try {
    static_cast<void>(tensor_of(kMiB));
    FAIL() << "the budget was not applied";
  } catch (const std::exception& error) {
    EXPECT_TRUE(is_out_of_memory(error));
  }
  EXPECT_FALSE(is_out_of_memory(std::runtime_error("no such file")));
  EXPECT_TRUE(is_out_of_memory(std::bad_alloc()));
  EXPECT_TRUE(is_out_of_memory(std::runtime_error("CUDA error: out of memory")));
  EXPECT_TRUE(is_out_of_memory(
      std::runtime_error("CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")));
  EXPECT_TRUE(is_out_of_memory(
      std::runtime_error("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED")));
}

TEST_F(CpuMeterTest, FailAllocation_Third_FailsThatOneOnly) {
  fail_allocation(3);
  const at::Tensor first = tensor_of(8), second = tensor_of(8);
  EXPECT_THROW(static_cast<void>(tensor_of(8)), c10::OutOfMemoryError);
  EXPECT_NO_THROW(static_cast<void>(tensor_of(8)));
}

TEST_F(CpuMeterTest, Reserved_AfterFreeing_StaysNearThePeak) {
  for (int round = 0; round < 3; ++round) {
    meter_.begin_window();
    std::vector<at::Tensor> tensors;
    for (int i = 0; i < 24; ++i) {
      tensors.push_back(tensor_of((i % 5 + 1) * kMiB));
    }
  }
  const MeterReading reading = meter_.reading();
  EXPECT_GE(reading.peak_reserved_bytes, reading.peak_bytes);
  EXPECT_LE(static_cast<double>(reading.peak_reserved_bytes),
            1.15 * static_cast<double>(reading.peak_bytes));
}

TEST_F(CpuMeterTest, ReleaseCached_NothingLive_ReservesNextToNothing) {
  static_cast<void>(tensor_of(64 * kMiB));
  meter_.release_cached();
  const MeterReading reading = meter_.reading();
  EXPECT_LT(reading.reserved_bytes, reading.live_bytes + 8 * kMiB);
}

TEST_F(CpuMeterTest, RawAllocation_ThroughLibTorch_IsCountedAndFreed) {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  void* block = allocator->raw_allocate(1000);
  std::memset(block, 1, 1000);
  EXPECT_EQ(grown(), 1000);
  allocator->raw_deallocate(block);
  EXPECT_EQ(grown(), 0);
}

}  // namespace
}  // namespace headroom::memory
