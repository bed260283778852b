#include "core/train/device.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/machine_memory.hpp"
#include "core/base/process_memory.hpp"
#include "core/base/text_number.hpp"
#include "core/memory/runtime.hpp"

namespace headroom::train {
namespace {

constexpr double kCpuShare = 0.70;
constexpr double kGpuShare = 0.95;

[[noreturn]] void throw_no_device(const std::string& text, const std::string& why) {
  throw base::Error(base::ErrorKind::usage, {"choosing the device", text + ": " + why,
                                             "use --device cpu, or auto for the best there is"});
}

c10::Device cuda_device(const std::string& text, std::int64_t index) {
  const auto count = std::ssize(memory::cuda_meters());
  if (count == 0) {
    throw_no_device(text, memory::why_no_cuda());
  }
  if (index >= count) {
    throw_no_device(text, fmt::format("GPUs here: {}, counted from 0", count));
  }
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

const memory::CudaDevice& cuda_side(c10::Device device) { return cuda_meter_of(device).device(); }

}  // namespace

c10::Device resolve_device(const std::string& text) {
  constexpr std::string_view kNumbered = "cuda:";
  if (text == "cpu") {
    return c10::kCPU;
  }
  if (text == "auto") {
    return memory::cuda_meters().empty() ? c10::Device(c10::kCPU) : cuda_device(text, 0);
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
  return cuda_side(device).name();
}

DeviceMemory memory_of(c10::Device device) {
  if (device.is_cpu()) {
    const auto machine = base::read_machine_memory();
    return {machine.available_bytes, machine.total_bytes};
  }
  const auto gpu = cuda_side(device).memory();
  return {gpu.free_bytes, gpu.total_bytes};
}

memory::DeviceUse use_of(c10::Device device) {
  if (!device.is_cpu()) {
    return cuda_meter_of(device).use();
  }
  const auto machine = base::read_machine_memory();
  const auto reading = memory::meter_of(device).reading();
  const std::int64_t used = machine.total_bytes - machine.available_bytes;
  return {.allocated_bytes = reading.live_bytes,
          .reserved_bytes = reading.reserved_bytes,
          .used_bytes = used,
          .others_bytes = std::max<std::int64_t>(0, used - base::resident_bytes())};
}

memory::CudaMeter& cuda_meter_of(c10::Device device) {
  const auto index = static_cast<std::size_t>(device.has_index() ? device.index() : 0);
  if (!device.is_cuda() || index >= memory::cuda_meters().size()) {
    throw_no_device(device.str(), memory::why_no_cuda());
  }
  return *memory::cuda_meters()[index];
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
