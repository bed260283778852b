#include "core/train/precision.hpp"

#include <ATen/autocast_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <fstream>
#include <string>

#include "core/base/error.hpp"

namespace headroom::train {
namespace {

bool cpu_computes_bf16() {
  std::ifstream cpus("/proc/cpuinfo");
  for (std::string line; std::getline(cpus, line);) {
    if (line.starts_with("flags")) {
      return names_bf16(line);
    }
  }
  return false;
}

bool computes_bf16(c10::Device device) {
  return device.is_cpu() ? cpu_computes_bf16()
                         : at::detail::getCUDAHooks().supportsBFloat16ConvolutionWithCuDNNv8();
}

}  // namespace

bool names_bf16(std::string_view cpu_flags) {
  return cpu_flags.find(" avx512_bf16") != std::string_view::npos ||
         cpu_flags.find(" amx_bf16") != std::string_view::npos;
}

base::Precision resolve_precision(base::Precision requested, c10::Device device) {
  switch (requested) {
    case base::Precision::automatic:
      return computes_bf16(device) ? base::Precision::bf16 : base::Precision::fp32;
    case base::Precision::fp16:
      throw base::Error(
          base::ErrorKind::usage,
          {"choosing the precision", "fp16: its gradients need loss scaling, which is not offered",
           "use --precision bf16, which has the range of fp32, or fp32"});
    case base::Precision::bf16:
      if (!device.is_cpu() && !computes_bf16(device)) {
        throw base::Error(base::ErrorKind::usage,
                          {"choosing the precision", "bf16: " + device.str() + " has no bf16",
                           "use --precision fp32"});
      }
      return requested;
    case base::Precision::fp32:
      break;
  }
  return base::Precision::fp32;
}

const char* name_of(base::Precision precision) {
  switch (precision) {
    case base::Precision::automatic:
      return "auto";
    case base::Precision::bf16:
      return "bf16";
    case base::Precision::fp16:
      return "fp16";
    case base::Precision::fp32:
      break;
  }
  return "fp32";
}

c10::MemoryFormat resolve_memory_format(base::MemoryFormat requested) {
  return requested == base::MemoryFormat::contiguous ? c10::MemoryFormat::Contiguous
                                                     : c10::MemoryFormat::ChannelsLast;
}

AutocastScope::AutocastScope(c10::DeviceType device, base::Precision precision)
    : device_(device), active_(precision == base::Precision::bf16) {
  if (active_) {
    was_enabled_ = at::autocast::is_autocast_enabled(device_);
    was_type_ = at::autocast::get_autocast_dtype(device_);
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  }
}

AutocastScope::~AutocastScope() {
  if (active_) {
    at::autocast::clear_cache();
    at::autocast::set_autocast_dtype(device_, was_type_);
    at::autocast::set_autocast_enabled(device_, was_enabled_);
  }
}

}  // namespace headroom::train
