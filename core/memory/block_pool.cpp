#include "core/memory/block_pool.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <new>

#include "core/base/rounding.hpp"

namespace headroom::memory {
namespace {

void* reserve_addresses(std::int64_t bytes) {
  void* base = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return base == MAP_FAILED ? nullptr : base;
}

}  // namespace

std::int64_t BlockPool::rounded(std::int64_t bytes) { return base::round_up(bytes, kBlockUnit); }

BlockPool::BlockPool(std::int64_t address_bytes) {
  void* base = nullptr;
  std::int64_t bytes = base::round_up(address_bytes, kCommitUnit);
  while (bytes >= kCommitUnit && (base = reserve_addresses(bytes + kCommitUnit)) == nullptr) {
    bytes = bytes / 2 / kCommitUnit * kCommitUnit;
  }
  if (base == nullptr) {
    throw std::bad_alloc();
  }
  // The range starts at a commit unit; what lies outside it is given back at once.
  const auto start = reinterpret_cast<std::uintptr_t>(base);
  const auto lead = static_cast<std::int64_t>((static_cast<std::uintptr_t>(kCommitUnit) -
                                               start % static_cast<std::uintptr_t>(kCommitUnit)) %
                                              static_cast<std::uintptr_t>(kCommitUnit));
  base_ = static_cast<char*>(base) + lead;
  if (lead > 0) {
    munmap(base, static_cast<std::size_t>(lead));
  }
  munmap(base_ + bytes, static_cast<std::size_t>(kCommitUnit - lead));
  address_bytes_ = bytes;
  // Advice only: a system without huge pages works the same, with more page faults.
  madvise(base_, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  committed_.resize(static_cast<std::size_t>(bytes / kCommitUnit), false);
  insert_free(0, bytes);
}

BlockPool::~BlockPool() { munmap(base_, static_cast<std::size_t>(address_bytes_)); }

void* BlockPool::allocate(std::int64_t bytes, std::int64_t committed_limit) {
  const std::int64_t wanted = rounded(bytes);
  const auto best = free_by_size_.lower_bound({wanted, 0});
  if (best == free_by_size_.end()) {
    return nullptr;
  }
  const auto [size, offset] = *best;
  erase_free(offset, size);
  if (size > wanted) {
    insert_free(offset + wanted, size - wanted);
  }
  commit(offset, wanted);
  if (committed_bytes_ > committed_limit) {
    trim(committed_limit);
  }
  return base_ + offset;
}

void BlockPool::release(void* block, std::int64_t bytes) {
  std::int64_t offset = static_cast<char*>(block) - base_;
  std::int64_t size = rounded(bytes);
  const auto next = free_by_offset_.lower_bound(offset);
  if (next != free_by_offset_.end() && next->first == offset + size) {
    size += next->second;
    erase_free(next->first, next->second);
  }
  const auto after = free_by_offset_.lower_bound(offset);
  if (after != free_by_offset_.begin()) {
    const auto previous = std::prev(after);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      size += previous->second;
      erase_free(previous->first, previous->second);
    }
  }
  insert_free(offset, size);
}

void BlockPool::trim(std::int64_t committed_limit) {
  // From the highest addresses down: best fit fills the low ones first.
  for (auto range = free_by_offset_.rbegin();
       range != free_by_offset_.rend() && committed_bytes_ > committed_limit; ++range) {
    decommit_inside(range->first, range->second, committed_limit);
  }
}

void BlockPool::insert_free(std::int64_t offset, std::int64_t bytes) {
  free_by_offset_.emplace(offset, bytes);
  free_by_size_.emplace(bytes, offset);
}

void BlockPool::erase_free(std::int64_t offset, std::int64_t bytes) {
  free_by_offset_.erase(offset);
  free_by_size_.erase({bytes, offset});
}

void BlockPool::commit(std::int64_t offset, std::int64_t bytes) {
  const std::int64_t last = (offset + bytes - 1) / kCommitUnit;
  for (std::int64_t unit = offset / kCommitUnit; unit <= last; ++unit) {
    if (!committed_[static_cast<std::size_t>(unit)]) {
      committed_[static_cast<std::size_t>(unit)] = true;
      committed_bytes_ += kCommitUnit;
      faulted_bytes_ += kCommitUnit;
    }
  }
}

void BlockPool::decommit_inside(std::int64_t offset, std::int64_t bytes,
                                std::int64_t committed_limit) {
  const std::int64_t first = base::round_up(offset, kCommitUnit) / kCommitUnit;
  for (std::int64_t unit = (offset + bytes) / kCommitUnit - 1;
       unit >= first && committed_bytes_ > committed_limit; --unit) {
    if (committed_[static_cast<std::size_t>(unit)]) {
      madvise(base_ + unit * kCommitUnit, static_cast<std::size_t>(kCommitUnit), MADV_DONTNEED);
      committed_[static_cast<std::size_t>(unit)] = false;
      committed_bytes_ -= kCommitUnit;
    }
  }
}

}  // namespace headroom::memory
