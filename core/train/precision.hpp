#pragma once
// Which number type and memory format a run computes in, and the autocast scope that sets the type.
// Worker thread.

#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>

#include <string_view>

#include "core/base/settings.hpp"

namespace headroom::train {

/// True where the flags of a CPU ("flags" in /proc/cpuinfo) name bf16 arithmetic: avx512_bf16 or
/// amx_bf16.
[[nodiscard]] bool names_bf16(std::string_view cpu_flags);

/// fp32 or bf16. `automatic` is bf16 where the device computes in it, else fp32. Throws base::Error
/// (usage) for fp16 (it needs loss scaling, which no device here offers) and for bf16 on a GPU
/// without it.
[[nodiscard]] base::Precision resolve_precision(base::Precision requested, c10::Device device);

/// "fp32", "bf16", …
[[nodiscard]] const char* name_of(base::Precision precision);

/// `automatic` is channels-last.
[[nodiscard]] c10::MemoryFormat resolve_memory_format(base::MemoryFormat requested);

/// Autocast to bf16 on this thread for the life of the scope; nothing for fp32. Leaves autocast as
/// it was and its weight cache empty.
class AutocastScope {
 public:
  AutocastScope(c10::DeviceType device, base::Precision precision);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  c10::DeviceType device_;
  bool active_;
  bool was_enabled_ = false;
  c10::ScalarType was_type_ = c10::ScalarType::Float;
};

}  // namespace headroom::train
