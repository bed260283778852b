#pragma once
// Large blocks of memory that are used again instead of being given back and faulted in anew: one
// reserved range of addresses, best fit with coalescing. Pages are counted as committed from the
// first time a block covers them until they are given back. Not safe for several threads: its owner
// (the CPU meter) holds a lock.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace headroom::memory {

class BlockPool {
 public:
  /// Every block is a multiple of this and starts at a multiple of it.
  static constexpr std::int64_t kBlockUnit = 4096;
  /// Pages are committed and given back in pieces of this size (one huge page on x86-64).
  static constexpr std::int64_t kCommitUnit = std::int64_t{2} << 20;

  /// Reserves addresses, no memory; where the system refuses so many, the half, and so on.
  explicit BlockPool(std::int64_t address_bytes);
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// A block of `bytes` rounded up to kBlockUnit; nullptr when no range of addresses is left. When
  /// this takes committed_bytes() above `committed_limit`, free pages are given back until it no
  /// longer is, or none is free.
  [[nodiscard]] void* allocate(std::int64_t bytes, std::int64_t committed_limit);
  /// `bytes` as given to allocate().
  void release(void* block, std::int64_t bytes);
  /// Gives free pages back until at most `committed_limit` bytes are committed.
  void trim(std::int64_t committed_limit);

  [[nodiscard]] std::int64_t committed_bytes() const { return committed_bytes_; }
  /// Bytes ever committed: what the system had to clear. Grows no more once a training repeats the
  /// same steps.
  [[nodiscard]] std::int64_t faulted_bytes() const { return faulted_bytes_; }
  [[nodiscard]] static std::int64_t rounded(std::int64_t bytes);

 private:
  void insert_free(std::int64_t offset, std::int64_t bytes);
  void erase_free(std::int64_t offset, std::int64_t bytes);
  void commit(std::int64_t offset, std::int64_t bytes);
  void decommit_inside(std::int64_t offset, std::int64_t bytes, std::int64_t committed_limit);

  char* base_ = nullptr;
  std::int64_t address_bytes_ = 0;
  std::int64_t committed_bytes_ = 0;
  std::int64_t faulted_bytes_ = 0;
  std::vector<bool> committed_;                                   ///< by commit unit
  std::map<std::int64_t, std::int64_t> free_by_offset_;           ///< offset -> bytes
  std::set<std::pair<std::int64_t, std::int64_t>> free_by_size_;  ///< (bytes, offset)
};

}  // namespace headroom::memory
