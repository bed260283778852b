#include "tests/ui/counted_allocations.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

/// The replaced operators have no other place to count in.
std::atomic<std::int64_t> live_new_bytes = 0;

std::int64_t size_of(void* block) { return static_cast<std::int64_t>(malloc_usable_size(block)); }

}  // namespace

// Sanitizers have operators of their own, which must not be mixed with these.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The forms for arrays and without exceptions call these; aligned ones are not counted.
void* operator new(std::size_t size) {
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  live_new_bytes += size_of(block);
  return block;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  live_new_bytes -= size_of(block);
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
#endif

namespace headroom::tests {

CountedAllocations::CountedAllocations() {
  ImGui::GetAllocatorFunctions(&allocate_, &free_, &user_);
  ImGui::SetAllocatorFunctions(count_allocate, count_free, this);
}

CountedAllocations::~CountedAllocations() { ImGui::SetAllocatorFunctions(allocate_, free_, user_); }

std::int64_t CountedAllocations::live_bytes() const { return imgui_bytes_ + live_new_bytes; }

void* CountedAllocations::count_allocate(std::size_t size, void* user) {
  void* const block = std::malloc(size);
  if (block != nullptr) static_cast<CountedAllocations*>(user)->imgui_bytes_ += size_of(block);
  return block;
}

void CountedAllocations::count_free(void* block, void* user) {
  if (block == nullptr) return;
  static_cast<CountedAllocations*>(user)->imgui_bytes_ -= size_of(block);
  std::free(block);
}

}  // namespace headroom::tests
