#pragma once
// Every block of memory that was live while a step was recorded, by address and moment: an address
// is given to one tensor after another. Pure; any thread.

#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

#include "core/memory/cpu_meter.hpp"
#include "core/memory/tensor_log.hpp"

namespace headroom::memory {

/// A moment is a count of events: a block that was born by event 4 is live from moment 5 on.
struct RecordedBlock {
  static constexpr std::size_t kBefore = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  MeterBlock facts{};
  std::size_t born = kBefore;  ///< event that allocated it; kBefore: it was there already
  std::size_t died = kNever;   ///< event that freed it

  [[nodiscard]] bool is_live_at(std::size_t moment) const {
    return (born == kBefore || born < moment) && died >= moment;
  }
};

class BlockHistory {
 public:
  /// Of the blocks that were there before the recording, those that `named` has.
  BlockHistory(const std::vector<MeterEvent>& events, const std::vector<NamedTensor>& named);

  [[nodiscard]] const std::vector<RecordedBlock>& blocks() const { return blocks_; }
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  /// Index of the block that had the address at the moment; kNone where it is not known.
  [[nodiscard]] std::size_t find(const void* address, std::size_t moment) const;

 private:
  void add(const void* address, const RecordedBlock& block);

  std::vector<RecordedBlock> blocks_{};
  std::unordered_map<const void*, std::vector<std::size_t>> by_address_{};  ///< in order of birth
};

}  // namespace headroom::memory
