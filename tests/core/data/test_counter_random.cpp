#include "core/data/counter_random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace headroom::data {
namespace {

TEST(Mix64, ReferenceStream_GivesSplitMix64sNumbers) {
  // The first outputs of the reference SplitMix64 with seed 1234567; its state grows by the golden
  // constant.
  constexpr std::array<std::uint64_t, 3> expected = {6457827717110365317ULL, 3203168211198807973ULL,
                                                     9817491932198370423ULL};
  std::uint64_t state = 1234567;
  for (const std::uint64_t value : expected) {
    EXPECT_EQ(mix64(state), value);
    state += 0x9e3779b97f4a7c15ULL;
  }
}

TEST(CounterRandom, SameKey_GivesSameNumbers) {
  CounterRandom a(1, 2, 3), b(1, 2, 3), other_item(1, 2, 4), other_stream(1, 3, 3);
  const std::uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, other_item.next());
  EXPECT_NE(first, other_stream.next());
}

TEST(CounterRandom, Below_IsEvenlySpread) {
  CounterRandom random(7, 0, 0);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[static_cast<std::size_t>(random.below(6))];
  // Standard deviation of each count is 91; six of them.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 550);
}

TEST(CounterRandom, Unit_StaysInsideAndAveragesOneHalf) {
  CounterRandom random(7, 0, 1);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.006);
}

class PermutationOfSize : public testing::TestWithParam<std::int64_t> {};

TEST_P(PermutationOfSize, AllPositions_GiveEachElementOnce) {
  const Permutation order(GetParam(), 5, 6);
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < GetParam(); ++i) seen.insert(order[i]);
  EXPECT_EQ(static_cast<std::int64_t>(seen.size()), GetParam());
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), GetParam() - 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PermutationOfSize,
                         testing::Values(1, 2, 3, 4, 5, 16, 17, 1000, 4097));

TEST(Permutation, FirstElement_IsEvenlySpreadOverStreams) {
  std::array<int, 5> counts{};
  for (int stream = 0; stream < 10000; ++stream) {
    ++counts[static_cast<std::size_t>(Permutation(5, 1, stream)[0])];
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 200);
}

}  // namespace
}  // namespace headroom::data
