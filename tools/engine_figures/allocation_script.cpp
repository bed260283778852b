#include "tools/engine_figures/allocation_script.hpp"

#include <map>
#include <utility>

namespace headroom {

AllocationScript::AllocationScript(const std::vector<memory::MeterEvent>& events) {
  std::map<std::pair<std::int64_t, int>, std::vector<std::size_t>> live;  // by bytes and stage
  for (const memory::MeterEvent& event : events) {
    if (event.bytes > 0) {
      live[{event.bytes, event.stage}].push_back(slots_);
      actions_.push_back({slots_++, static_cast<std::size_t>(event.bytes)});
      ++allocations_;
      continue;
    }
    auto& blocks = live[{-event.bytes, event.stage}];
    if (!blocks.empty()) {
      actions_.push_back({blocks.back(), 0});
      blocks.pop_back();
    }
  }
}

void AllocationScript::replay(c10::Allocator& allocator) const {
  std::vector<c10::DataPtr> blocks(slots_);
  for (const Action& action : actions_) {
    if (action.bytes > 0) {
      blocks[action.slot] = allocator.allocate(action.bytes);
    } else {
      blocks[action.slot].clear();
    }
  }
}

}  // namespace headroom
