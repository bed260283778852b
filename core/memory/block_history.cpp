#include "core/memory/block_history.hpp"

namespace headroom::memory {

BlockHistory::BlockHistory(const std::vector<MeterEvent>& events,
                           const std::vector<NamedTensor>& named) {
  auto next = named.begin();
  const auto add_named_until = [&](std::size_t moment) {
    for (; next != named.end() && next->moment <= moment; ++next) {
      const bool is_new = next->block && find(next->tensor.block, moment) == kNone;
      if (is_new) add(next->tensor.block, {.facts = *next->block});
    }
  };
  for (std::size_t index = 0; index < events.size(); ++index) {
    add_named_until(index);
    const MeterEvent& event = events[index];
    if (event.bytes > 0) {
      add(event.block, {.facts = {event.bytes, event.stage, event.phase}, .born = index});
    } else if (const std::size_t block = find(event.block, index); block != kNone) {
      blocks_[block].died = index;
    }
  }
  add_named_until(events.size());
}

void BlockHistory::add(const void* address, const RecordedBlock& block) {
  by_address_[address].push_back(blocks_.size());
  blocks_.push_back(block);
}

std::size_t BlockHistory::find(const void* address, std::size_t moment) const {
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return kNone;
  for (auto block = found->second.rbegin(); block != found->second.rend(); ++block) {
    if (blocks_[*block].is_live_at(moment)) return *block;
  }
  return kNone;
}

}  // namespace headroom::memory
