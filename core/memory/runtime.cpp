#include "core/memory/runtime.hpp"

#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/memory/cuda_loader.hpp"
#include "core/memory/engine.hpp"

namespace headroom::memory {
namespace {

struct CudaSide {
  std::vector<std::unique_ptr<CudaMeter>> meters{};
  std::string why_not = "the memory layer is not installed";
};

CudaSide& cuda_side() {
  // Never destroyed, as the allocator it speaks of.
  static auto* side = new CudaSide;
  return *side;
}

void load_cuda_side() {
  const CudaLoader loader = CudaLoader::load();
  cuda_side().why_not = loader.device_count() > 0 ? "the device cannot be used" : loader.why_not();
  for (int index = 0; index < loader.device_count(); ++index) {
    auto device = loader.device(index);
    if (!device) {
      break;  // an index here is LibTorch's index: what follows a device that cannot be used is
              // left out
    }
    cuda_side().meters.push_back(std::make_unique<CudaMeter>(std::move(device)));
  }
}

}  // namespace

void install_runtime() {
  if (c10::GetCPUAllocator() == &cpu_meter()) {
    return;
  }
  load_cuda_side();
  c10::SetCPUAllocator(&cpu_meter(), 1);
  install_engine();
}

const std::vector<std::unique_ptr<CudaMeter>>& cuda_meters() { return cuda_side().meters; }

const std::string& why_no_cuda() { return cuda_side().why_not; }

MemoryMeter& meter_of(c10::Device device) {
  if (device.is_cpu()) {
    return cpu_meter();
  }
  const auto index = static_cast<std::size_t>(device.has_index() ? device.index() : 0);
  if (!device.is_cuda() || index >= cuda_meters().size()) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "measuring memory",
                       .subject = fmt::format("device {}: {}", device.str(), why_no_cuda()),
                       .remedy = "use --device cpu, or a CUDA device that headroom devices lists"});
  }
  return *cuda_meters()[index];
}

}  // namespace headroom::memory
