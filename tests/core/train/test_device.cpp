#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"
#include "core/train/device.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

using base::ErrorKind;

TEST(Device, Cpu_IsTheCpuWithItsThreads) {
  EXPECT_EQ(resolve_device("cpu"), c10::Device(c10::kCPU));
  EXPECT_EQ(describe(c10::kCPU), "CPU, 2 threads");
}

TEST(Device, TextThatNamesNone_IsAUsageErrorNamingIt) {
  for (const char* text : {"gpu", "cuda:", "cuda:-1", "cuda:x", ""}) {
    const auto error = tests::thrown_error([&] { (void)resolve_device(text); }).value();
    EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    EXPECT_EQ(error.parts().subject, text);
  }
}

TEST(Device, CudaWithoutADriver_SaysWhyNot) {
  if (!memory::cuda_meters().empty()) {
    GTEST_SKIP() << "there is a GPU here";
  }
  for (const char* text : {"cuda", "cuda:0"}) {
    const auto error = tests::thrown_error([&] { (void)resolve_device(text); }).value();
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.parts().subject.find(memory::why_no_cuda()), std::string::npos);
  }
  EXPECT_EQ(resolve_device("auto"), c10::Device(c10::kCPU));
}

TEST(Device, CudaIndexBeyondTheLast_IsAUsageError) {
  const auto error = tests::thrown_error([] { (void)resolve_device("cuda:99"); }).value();
  EXPECT_EQ(error.kind(), ErrorKind::usage);
}

TEST(DeviceUse, OfTheCpu_HasWhatIsInTensors) {
  const memory::DeviceUse before = use_of(c10::kCPU);
  const at::Tensor x = at::empty({1000}, at::kByte);
  const memory::DeviceUse use = use_of(c10::kCPU);
  EXPECT_EQ(use.allocated_bytes, before.allocated_bytes + 1000);
  EXPECT_GE(use.reserved_bytes, use.allocated_bytes);
  EXPECT_GT(use.used_bytes, use.others_bytes);
}

TEST(DeviceUse, CudaMeterOfTheCpu_IsAUsageError) {
  const auto error = tests::thrown_error([] { (void)cuda_meter_of(c10::kCPU); }).value();
  EXPECT_EQ(error.kind(), ErrorKind::usage);
}

TEST(Budget, None_IsSeventyPercentOfWhatIsAvailable) {
  const DeviceMemory memory = memory_of(c10::kCPU);
  const auto budget = static_cast<double>(resolve_budget(0, c10::kCPU));
  EXPECT_NEAR(budget / static_cast<double>(memory.available_bytes), 0.7, 0.1);
}

TEST(Budget, Given_IsTaken) {
  EXPECT_EQ(resolve_budget(std::int64_t{1} << 20, c10::kCPU), std::int64_t{1} << 20);
}

TEST(Budget, NegativeOrAboveTheMachine_IsAUsageError) {
  for (const std::int64_t bytes : {std::int64_t{-1}, memory_of(c10::kCPU).total_bytes + 1}) {
    const auto error = tests::thrown_error([&] { (void)resolve_budget(bytes, c10::kCPU); }).value();
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

}  // namespace
}  // namespace headroom::train
