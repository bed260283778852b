#include "core/memory/meter.hpp"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "core/base/error.hpp"
#include "core/memory/cpu_meter.hpp"

namespace headroom::memory {

void fail_allocation(std::int64_t n) { cpu_meter().fail_allocation(n); }

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
      dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return true;
  }
  // Libraries below LibTorch (CUDA, cuDNN, cuBLAS, oneDNN) report it as text in a plain error.
  constexpr auto kTexts = std::to_array<std::string_view>(
      {"out of memory", "can't allocate memory", "ALLOC_FAILED", "ALLOCATION_FAILED"});
  const std::string_view text = error.what();
  return std::ranges::any_of(
      kTexts, [&](std::string_view each) { return text.find(each) != std::string_view::npos; });
}

StageMark::StageMark(int stage) : outer_(thread_marks().stage) { thread_marks().stage = stage; }
StageMark::~StageMark() { thread_marks().stage = outer_; }

PhaseMark::PhaseMark(plan::Phase phase) : outer_(thread_marks().phase) {
  thread_marks().phase = phase;
}
PhaseMark::~PhaseMark() { thread_marks().phase = outer_; }

}  // namespace headroom::memory
