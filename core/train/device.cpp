#include "core/train/device.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <optional>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/machine_memory.hpp"
#include "core/base/text_number.hpp"
#include "core/memory/cuda_loader.hpp"

namespace headroom::train {
namespace {

constexpr double kCpuShare = 0.70;
constexpr double kGpuShare = 0.95;

[[noreturn]] void throw_no_device(const std::string& text, const std::string& why) {
  throw base::Error(base::ErrorKind::usage, {"choosing the device", text + ": " + why,
                                             "use --device cpu, or auto for the best there is"});
}

c10::Device cuda_device(const std::string& text, std::int64_t index) {
  const auto loader = memory::CudaLoader::load();
  if (loader.device_count() == 0) {
    throw_no_device(text, loader.why_not());
  }
  if (index >= loader.device_count()) {
    throw_no_device(text, fmt::format("there are {} GPUs, counted from 0", loader.device_count()));
  }
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

}  // namespace

c10::Device resolve_device(const std::string& text) {
  constexpr std::string_view kNumbered = "cuda:";
  if (text == "cpu") {
    return c10::kCPU;
  }
  if (text == "auto") {
    return memory::CudaLoader::load().device_count() > 0 ? c10::Device(c10::kCUDA, 0)
                                                         : c10::Device(c10::kCPU);
  }
  if (text == "cuda") {
    return cuda_device(text, 0);
  }
  if (text.starts_with(kNumbered)) {
    const auto index = base::parse_integer(std::string_view(text).substr(kNumbered.size()));
    if (index && *index >= 0) {
      return cuda_device(text, *index);
    }
  }
  throw base::Error(base::ErrorKind::usage,
                    {"choosing the device", text, "use auto, cpu, cuda or cuda:N"});
}

std::string describe(c10::Device device) {
  if (device.is_cpu()) {
    const int threads = at::get_num_threads();
    return fmt::format("CPU, {} thread{}", threads, threads == 1 ? "" : "s");
  }
  return memory::CudaLoader::load().device(device.index())->name();
}

DeviceMemory memory_of(c10::Device device) {
  if (device.is_cpu()) {
    const auto machine = base::read_machine_memory();
    return {machine.available_bytes, machine.total_bytes};
  }
  const auto gpu = memory::CudaLoader::load().device(device.index())->memory();
  return {gpu.free_bytes, gpu.total_bytes};
}

std::int64_t resolve_budget(std::int64_t requested, c10::Device device) {
  const DeviceMemory memory = memory_of(device);
  if (requested == 0) {
    const double share = device.is_cpu() ? kCpuShare : kGpuShare;
    return static_cast<std::int64_t>(static_cast<double>(memory.available_bytes) * share);
  }
  if (requested < 0 || requested > memory.total_bytes) {
    throw base::Error(base::ErrorKind::usage,
                      {"setting the memory budget",
                       fmt::format("{}; {} has {}", base::format_bytes(requested), describe(device),
                                   base::format_bytes(memory.total_bytes)),
                       "give a budget above 0 and at most that"});
  }
  return requested;
}

}  // namespace headroom::train
