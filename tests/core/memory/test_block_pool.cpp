#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "core/memory/block_pool.hpp"

namespace headroom::memory {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

TEST(BlockPool_Fresh, CommitsNothing) {
  const BlockPool pool(64 * kMiB);
  EXPECT_EQ(pool.committed_bytes(), 0);
}

TEST(BlockPool_Allocate, CommitsWholeUnitsOnce) {
  BlockPool pool(64 * kMiB);
  void* block = pool.allocate(3 * kMiB, kNoLimit);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(pool.committed_bytes(), 4 * kMiB);
  pool.release(block, 3 * kMiB);
  EXPECT_EQ(pool.allocate(3 * kMiB, kNoLimit), block);
  EXPECT_EQ(pool.committed_bytes(), 4 * kMiB);
  EXPECT_EQ(pool.faulted_bytes(), 4 * kMiB);
}

TEST(BlockPool_Allocate, TakesTheSmallestHoleThatFits) {
  BlockPool pool(64 * kMiB);
  void* large = pool.allocate(8 * kMiB, kNoLimit);
  void* wall = pool.allocate(kMiB, kNoLimit);
  void* small = pool.allocate(2 * kMiB, kNoLimit);
  void* end = pool.allocate(kMiB, kNoLimit);
  pool.release(large, 8 * kMiB);
  pool.release(small, 2 * kMiB);
  EXPECT_EQ(pool.allocate(2 * kMiB, kNoLimit), small);
  EXPECT_NE(wall, nullptr);
  EXPECT_NE(end, nullptr);
}

TEST(BlockPool_Release, JoinsNeighbours) {
  BlockPool pool(8 * kMiB);
  void* a = pool.allocate(2 * kMiB, kNoLimit);
  void* b = pool.allocate(2 * kMiB, kNoLimit);
  void* c = pool.allocate(4 * kMiB, kNoLimit);
  EXPECT_EQ(pool.allocate(kMiB, kNoLimit), nullptr);
  pool.release(a, 2 * kMiB);
  pool.release(c, 4 * kMiB);
  pool.release(b, 2 * kMiB);
  EXPECT_EQ(pool.allocate(8 * kMiB, kNoLimit), a);
}

TEST(BlockPool_Trim, GivesFreePagesBackAndKeepsLiveOnes) {
  BlockPool pool(64 * kMiB);
  auto* live = static_cast<char*>(pool.allocate(4 * kMiB, kNoLimit));
  std::memset(live, 7, 4 * kMiB);
  void* freed = pool.allocate(16 * kMiB, kNoLimit);
  pool.release(freed, 16 * kMiB);
  EXPECT_EQ(pool.committed_bytes(), 20 * kMiB);
  pool.trim(10 * kMiB);
  EXPECT_EQ(pool.committed_bytes(), 10 * kMiB);
  pool.trim(0);
  EXPECT_EQ(pool.committed_bytes(), 4 * kMiB);
  EXPECT_EQ(live[4 * kMiB - 1], 7);
}

TEST(BlockPool_Allocate, StaysUnderTheLimitByGivingFreePagesBack) {
  BlockPool pool(64 * kMiB);
  void* wall = pool.allocate(2 * kMiB, kNoLimit);
  void* freed = pool.allocate(8 * kMiB, kNoLimit);
  void* end = pool.allocate(2 * kMiB, kNoLimit);
  pool.release(freed, 8 * kMiB);
  void* larger = pool.allocate(10 * kMiB, 16 * kMiB);  // the hole of 8 does not fit it
  EXPECT_NE(larger, nullptr);
  EXPECT_EQ(pool.committed_bytes(), 16 * kMiB);
  EXPECT_NE(wall, end);
}

TEST(BlockPool_Allocate, NeverHandsOutOverlappingBlocks) {
  BlockPool pool(64 * kMiB);
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same sequence in every run
  std::map<unsigned char*, std::pair<std::int64_t, unsigned char>> live;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 3 != 0 || live.empty()) {
      const std::int64_t bytes = 1 + static_cast<std::int64_t>(random() % (3 * kMiB));
      auto* block = static_cast<unsigned char*>(pool.allocate(bytes, 48 * kMiB));
      if (block == nullptr) {
        continue;
      }
      const auto mark = static_cast<unsigned char>(random() % 256);
      block[0] = block[bytes - 1] = mark;
      live.emplace(block, std::pair{bytes, mark});
    } else {
      const auto victim = std::next(live.begin(), random() % live.size());
      const auto& [block, entry] = *victim;
      ASSERT_EQ(block[0], entry.second);
      ASSERT_EQ(block[entry.first - 1], entry.second);
      pool.release(block, entry.first);
      live.erase(victim);
    }
  }
}

}  // namespace
}  // namespace headroom::memory
