#include "core/base/rounding.hpp"

#include <gtest/gtest.h>

namespace headroom::base {
namespace {

TEST(DivideUp, Parts_HoldTheValue) {
  EXPECT_EQ(divide_up(0, 4), 0);
  EXPECT_EQ(divide_up(4, 4), 1);
  EXPECT_EQ(divide_up(5, 4), 2);
  EXPECT_EQ(divide_up(5, 1), 5);
}

TEST(RoundUp, Multiple_IsTheNextThatIsNotBelow) {
  EXPECT_EQ(round_up(0, 16), 0);
  EXPECT_EQ(round_up(16, 16), 16);
  EXPECT_EQ(round_up(17, 16), 32);
}

}  // namespace
}  // namespace headroom::base
