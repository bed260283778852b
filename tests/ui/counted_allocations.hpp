#pragma once
// How many bytes the test's program holds: those of operator new, which the source file replaces
// for the whole program, and those of ImGui and ImPlot while one of these lives.

#include <imgui.h>

#include <cstdint>

namespace headroom::tests {

/// To be made before a context of ImGui is, and to outlive it.
class CountedAllocations {
 public:
  CountedAllocations();
  ~CountedAllocations();
  CountedAllocations(const CountedAllocations&) = delete;
  CountedAllocations& operator=(const CountedAllocations&) = delete;

  [[nodiscard]] std::int64_t live_bytes() const;

 private:
  static void* count_allocate(std::size_t size, void* user);
  static void count_free(void* block, void* user);

  ImGuiMemAllocFunc allocate_ = nullptr;
  ImGuiMemFreeFunc free_ = nullptr;
  void* user_ = nullptr;
  std::int64_t imgui_bytes_ = 0;
};

}  // namespace headroom::tests
