// Brings the CUDA side into the process where a driver is: LibTorch's CUDA library, then ours. Call
// load() first thing in every main, before anything asks LibTorch about CUDA (seeding is such a
// question). The libraries stay loaded until the process ends.
#pragma once

#include <memory>
#include <string>

#include "core/memory/cuda_device.hpp"

namespace headroom::memory {

/// Names that the dynamic loader looks up, in the order of loading.
struct CudaLibraryNames {
  std::string driver = "libcuda.so.1";
  std::string torch = "libtorch_cuda.so";
  std::string ours = "libheadroom_cuda.so";
};

class CudaLoader {
 public:
  /// Never throws because of a driver or a library that is not there: why_not() then says so.
  [[nodiscard]] static CudaLoader load(const CudaLibraryNames& names = {});

  [[nodiscard]] int device_count() const { return device_count_; }
  /// Why no device can be used, as a sentence for people; empty when there is one.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  /// Null when there is no such device.
  [[nodiscard]] std::unique_ptr<CudaDevice> device(int index) const;

 private:
  using MakeDevice = CudaDevice* (*)(int);

  MakeDevice make_device_ = nullptr;
  int device_count_ = 0;
  std::string why_not_;
};

}  // namespace headroom::memory
