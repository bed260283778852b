// The meter, the budget and the copies of offload, on a GPU.

#include <ATen/ATen.h>

#include <vector>

#include "core/memory/device_copy.hpp"
#include "core/train/generated_task.hpp"
#include "models/unet.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

at::Tensor tensor_of(std::int64_t bytes) {
  return at::empty({bytes}, at::TensorOptions(at::kByte).device(at::kCUDA));
}

class GpuMeter : public tests::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    meter_ = memory::cuda_meters().front().get();
    meter_->release_cached();
    meter_->begin_window();
  }
  void TearDown() override {
    if (meter_ != nullptr) meter_->set_budget(0);
  }
  memory::CudaMeter* meter_ = nullptr;
};

TEST_F(GpuMeter, TensorsOfWholeMebibytes_AreCountedToTheByte) {
  const std::int64_t before = meter_->reading().live_bytes;
  {
    const at::Tensor a = tensor_of(3 * kMiB);
    EXPECT_EQ(meter_->reading().live_bytes - before, 3 * kMiB);
    const at::Tensor b = tensor_of(64 * kMiB);
    EXPECT_EQ(meter_->reading().live_bytes - before, 67 * kMiB);
  }
  EXPECT_EQ(meter_->reading().live_bytes, before);
}

TEST_F(GpuMeter, Peak_IsTheSumOfWhatLivedAtOnce) {
  {
    const at::Tensor a = tensor_of(32 * kMiB);
    const at::Tensor b = tensor_of(16 * kMiB);
  }
  const at::Tensor c = tensor_of(8 * kMiB);
  const memory::MeterReading reading = meter_->reading();
  EXPECT_EQ(reading.peak_bytes - reading.live_before_bytes, 48 * kMiB);
  EXPECT_GE(reading.peak_reserved_bytes, reading.peak_bytes);
}

TEST_F(GpuMeter, NextWindow_ForgetsThePeakBefore) {
  static_cast<void>(tensor_of(32 * kMiB));
  meter_->begin_window();
  const memory::MeterReading reading = meter_->reading();
  EXPECT_EQ(reading.peak_bytes, reading.live_before_bytes);
}

TEST_F(GpuMeter, DeviceMemory_HoldsAtLeastWhatIsReserved) {
  const at::Tensor a = tensor_of(256 * kMiB);
  const memory::CudaMemory memory = meter_->device().memory();
  EXPECT_GE(memory.total_bytes - memory.free_bytes, meter_->reading().reserved_bytes);
}

TEST_F(GpuMeter, Budget_RefusesWhatIsAboveIt) {
  meter_->set_budget(meter_->reading().reserved_bytes + 64 * kMiB);
  const at::Tensor fits = tensor_of(16 * kMiB);
  bool is_refused = false;
  try {
    static_cast<void>(tensor_of(1024 * kMiB));
  } catch (const std::exception& error) {
    is_refused = memory::is_out_of_memory(error);
  }
  EXPECT_TRUE(is_refused);
  meter_->set_budget(0);
  EXPECT_TRUE(tensor_of(1024 * kMiB).defined());
}

TEST_F(GpuMeter, StepAboveTheBudget_IsAnOutOfMemoryErrorAndTheNextStepFits) {
  base::Settings settings = tests::gpu_settings();
  settings.model.base_channels = 32;
  settings.step.batch = 8;
  settings.step.tile_height = settings.step.tile_width = 256;
  train::GeneratedTask task(settings, models::make_model);
  meter_->set_budget(meter_->reading().reserved_bytes + 64 * kMiB);
  const auto error = tests::thrown_error([&] { static_cast<void>(task.step(1, {})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::out_of_memory);
  meter_->set_budget(0);
  EXPECT_GT(task.step(1, {}).measured.peak_bytes, 64 * kMiB);
}

class GpuDeviceCopy : public tests::GpuTest {};

TEST_F(GpuDeviceCopy, ThereAndBack_KeepsBitsAndStrides) {
  const std::shared_ptr<memory::DeviceCopy> copy = memory::make_device_copy(at::kCUDA);
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    const at::Tensor original =
        at::randn({4, 8, 64, 64}, at::TensorOptions().device(at::kCUDA)).contiguous(format);
    const at::Tensor on_host = copy->to_host(original)->wait();
    EXPECT_TRUE(on_host.is_cpu());
    const at::Tensor back = copy->to_device(on_host)->wait();
    EXPECT_TRUE(at::equal(back, original));
    EXPECT_EQ(back.strides(), original.strides());
  }
}

TEST_F(GpuDeviceCopy, OfATensorThatIsFreedAtOnce_HasItsValues) {
  const std::shared_ptr<memory::DeviceCopy> copy = memory::make_device_copy(at::kCUDA);
  const auto options = at::TensorOptions().device(at::kCUDA);
  std::vector<std::unique_ptr<memory::PendingCopy>> copies;
  for (int i = 0; i < 20; ++i) {
    // Each is written by the device after the call returns, and its memory is given away next.
    copies.push_back(copy->to_host(at::full({1 << 20}, i, options)));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(copies[static_cast<std::size_t>(i)]->wait().eq(i).all().item<bool>()) << i;
  }
}

}  // namespace
}  // namespace headroom
