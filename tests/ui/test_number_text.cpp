// Numbers as the dashboard writes them, against texts written by hand.
#include "ui/number_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace headroom::ui {
namespace {

TEST(NumberText, Thousands_AreApartByAThinSpace) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1712),
            "1\xE2\x80\x89"
            "712");
  EXPECT_EQ(count_text(-1234567),
            "\xE2\x88\x92"
            "1\xE2\x80\x89"
            "234\xE2\x80\x89"
            "567");
}

TEST(NumberText, ByteChanges_HaveASignAndAUnit) {
  EXPECT_EQ(bytes_change_text(std::int64_t{600} << 20), "+600.0 MiB");
  EXPECT_EQ(bytes_change_text(-(std::int64_t{600} << 20)),
            "\xE2\x88\x92"
            "600.0 MiB");
  EXPECT_EQ(bytes_change_text(0),
            "\xC2\xB1"
            "0 B");
}

TEST(NumberText, Times_TakeTheUnitThatFits) {
  EXPECT_EQ(time_text(0.00042), "0.42 ms");
  EXPECT_EQ(time_text(0.831), "831 ms");
  EXPECT_EQ(time_text(2.5), "2.50 s");
  EXPECT_EQ(time_text(12.44), "12.4 s");
  EXPECT_EQ(time_change_text(-0.022),
            "\xE2\x88\x92"
            "22 ms");
  EXPECT_EQ(time_change_text(0.03), "+30 ms");
}

TEST(NumberText, WhatIsNotANumber_IsADash) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(time_text(none), kNone);
  EXPECT_EQ(percent_text(none), kNone);
  EXPECT_EQ(value_text(none), kNone);
}

TEST(NumberText, Percent_HasADecimalBelowTen) {
  EXPECT_EQ(percent_text(0.007), "0.7 %");
  EXPECT_EQ(percent_text(0.44), "44 %");
  EXPECT_EQ(percent_text(-0.59),
            "\xE2\x88\x92"
            "59 %");
}

TEST(NumberText, TimeLeft_IsShortWhereRoomIsShort) {
  EXPECT_EQ(time_left_text(243, true), "4:03 left");
  EXPECT_EQ(time_left_text(3723, true), "1:02:03 left");
  EXPECT_EQ(time_left_text(243, false), "4 min 03 s left");
}

}  // namespace
}  // namespace headroom::ui
