#include "core/memory/cuda_meter.hpp"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace headroom::memory {
namespace {

/// A device whose numbers the test decides.
struct FakeDevice final : CudaDevice {
  [[nodiscard]] std::string name() const override { return "fake"; }
  [[nodiscard]] CudaMemory memory() const override { return memory_now; }
  [[nodiscard]] CudaAllocatorCount count() const override { return count_now; }
  void reset_peaks() override {}
  void set_budget(std::int64_t /*bytes*/) override {}
  void begin_history(std::int64_t most_events) override { history = most_events; }
  [[nodiscard]] std::string end_history() override {
    return std::exchange(history, 0) > 0 ? "pickle" : "";
  }
  void release_cached() override {}

  CudaMemory memory_now{};
  CudaAllocatorCount count_now{};
  std::int64_t history = 0;
};

class CudaMeterTest : public testing::Test {
 protected:
  std::unique_ptr<FakeDevice> owned_ = std::make_unique<FakeDevice>();
  FakeDevice& device_ = *owned_;
  CudaMeter meter_{std::move(owned_)};
};

TEST_F(CudaMeterTest, Use_IsFourNumbers) {
  device_.memory_now = {.free_bytes = 6000, .total_bytes = 10000};
  device_.count_now = {.allocated_bytes = 1000, .reserved_bytes = 2500};
  const DeviceUse use = meter_.use();
  EXPECT_EQ(use.allocated_bytes, 1000);
  EXPECT_EQ(use.reserved_bytes, 2500);
  EXPECT_EQ(use.used_bytes, 4000);
  EXPECT_EQ(use.others_bytes, 1500);
}

TEST_F(CudaMeterTest, OthersOfADriverThatLagsBehind_AreNotBelowZero) {
  device_.memory_now = {.free_bytes = 9000, .total_bytes = 10000};
  device_.count_now = {.allocated_bytes = 1000, .reserved_bytes = 2500};
  EXPECT_EQ(meter_.use().others_bytes, 0);
}

TEST_F(CudaMeterTest, History_IsTheDevices) {
  meter_.begin_history(500);
  EXPECT_EQ(device_.history, 500);
  EXPECT_EQ(meter_.end_history(), "pickle");
}

}  // namespace
}  // namespace headroom::memory
