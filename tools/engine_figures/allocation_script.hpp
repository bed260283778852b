#pragma once
// The allocations and frees of a recorded step, to be done again with any allocator.

#include <c10/core/Allocator.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory/cpu_meter.hpp"

namespace headroom {

class AllocationScript {
 public:
  /// A free in the recording is that of the latest block of its size and stage that is still there;
  /// frees of blocks from before the recording are left out.
  explicit AllocationScript(const std::vector<memory::MeterEvent>& events);

  [[nodiscard]] std::int64_t allocations() const { return allocations_; }
  /// Does all of it, and frees what is left; the memory is not touched.
  void replay(c10::Allocator& allocator) const;

 private:
  struct Action {
    std::size_t slot = 0;
    std::size_t bytes = 0;  ///< 0: the slot's block is freed
  };
  std::vector<Action> actions_;
  std::size_t slots_ = 0;
  std::int64_t allocations_ = 0;
};

}  // namespace headroom
