#include "core/memory/cuda_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::memory {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A library that every machine has, in place of the driver's.
constexpr const char* kPresent = "libc.so.6";

TEST(CudaLoader, NoDriver_SaysSoAndOffersNoDevice) {
  const auto loader = CudaLoader::load({.driver = "libno_such_driver.so.1"});
  EXPECT_EQ(loader.device_count(), 0);
  EXPECT_THAT(loader.why_not(), HasSubstr("no NVIDIA driver"));
  EXPECT_EQ(loader.device(0), nullptr);
}

TEST(CudaLoader, DriverWithoutTorchLibrary_NamesWhatIsMissing) {
  const auto loader = CudaLoader::load({.driver = kPresent, .torch = "libno_such_torch.so"});
  EXPECT_EQ(loader.device_count(), 0);
  EXPECT_THAT(loader.why_not(), HasSubstr("libno_such_torch.so"));
}

TEST(CudaLoader, DriverWithoutOurLibrary_NamesWhatIsMissing) {
  const auto loader =
      CudaLoader::load({.driver = kPresent, .torch = kPresent, .ours = "libno_such_side.so"});
  EXPECT_EQ(loader.device_count(), 0);
  EXPECT_THAT(loader.why_not(), HasSubstr("libno_such_side.so"));
}

TEST(CudaLoader, LibraryOfAnotherVersion_SaysSo) {
  const auto loader = CudaLoader::load({.driver = kPresent, .torch = kPresent, .ours = kPresent});
  EXPECT_THAT(loader.why_not(), HasSubstr("another version"));
}

TEST(CudaLoader, OurLibraryOnThisMachine_LoadsAndAnswers) {
  // c10's CUDA library loads without a driver; the whole of LibTorch's CUDA side does not.
  const auto loader = CudaLoader::load({.driver = kPresent, .torch = "libc10_cuda.so"});
  if (loader.why_not().find("libc10_cuda.so") != std::string::npos ||
      loader.why_not().find("libheadroom_cuda.so") != std::string::npos) {
    FAIL() << loader.why_not();
  }
  EXPECT_EQ(loader.device_count() > 0, loader.why_not().empty());
  EXPECT_EQ(loader.device(loader.device_count()), nullptr);
  EXPECT_EQ(loader.device(-1), nullptr);
}

TEST(CudaLoader, DefaultNames_GiveADeviceOrAReason) {
  const auto loader = CudaLoader::load();
  EXPECT_EQ(loader.device_count() > 0, loader.why_not().empty());
  if (loader.device_count() == 0) GTEST_SKIP() << loader.why_not();

  const auto device = loader.device(0);
  ASSERT_NE(device, nullptr);
  EXPECT_THAT(device->name(), ::testing::Not(IsEmpty()));
  EXPECT_GT(device->memory().free_bytes, 0);
  EXPECT_LE(device->memory().free_bytes, device->memory().total_bytes);
  device->release_cached();
  device->reset_peaks();
  EXPECT_EQ(device->count().peak_allocated_bytes, device->count().allocated_bytes);
}

}  // namespace
}  // namespace headroom::memory
