#include "core/memory/cuda_loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace headroom::memory {
namespace {

std::string loader_message() {
  const char* message = dlerror();
  return message != nullptr ? message : "unknown reason";
}

}  // namespace

CudaLoader CudaLoader::load(const CudaLibraryNames& names) {
  CudaLoader loader;
  if (dlopen(names.driver.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    loader.why_not_ = fmt::format("no NVIDIA driver ({} was not found)", names.driver);
    return loader;
  }
  // Global, and before any question about CUDA: LibTorch then finds the device side registered.
  if (dlopen(names.torch.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    loader.why_not_ = fmt::format(
        "an NVIDIA driver is there, but LibTorch's CUDA library could not be loaded ({}); "
        "run tools/setup to bring what is missing",
        loader_message());
    return loader;
  }
  // What it wants of LibTorch's CUDA library is looked up when a device is asked for it.
  void* ours = dlopen(names.ours.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (ours == nullptr) {
    loader.why_not_ = fmt::format(
        "an NVIDIA driver is there, but Headroom's CUDA library could not be loaded ({}); build "
        "again",
        loader_message());
    return loader;
  }
  const auto count = reinterpret_cast<decltype(&headroom_cuda_device_count)>(
      dlsym(ours, "headroom_cuda_device_count"));
  loader.make_device_ = reinterpret_cast<MakeDevice>(dlsym(ours, "headroom_cuda_device"));
  if (count == nullptr || loader.make_device_ == nullptr) {
    loader.why_not_ = fmt::format("{} is of another version; build again", names.ours);
    return loader;
  }
  loader.device_count_ = count();
  if (loader.device_count_ == 0) {
    loader.why_not_ = "an NVIDIA driver is there, but it offers no device";
  }
  return loader;
}

std::unique_ptr<CudaDevice> CudaLoader::device(int index) const {
  if (index < 0 || index >= device_count_) return nullptr;
  return std::unique_ptr<CudaDevice>(make_device_(index));
}

}  // namespace headroom::memory
