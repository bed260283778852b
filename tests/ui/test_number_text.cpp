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

TEST(NumberText, ShortBytes_HaveThreeDigitsAndNoZerosBehind) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  EXPECT_EQ(short_bytes_text(800 * kMiB), "800 MiB");
  EXPECT_EQ(short_bytes_text(1597 * kMiB), "1.56 GiB");
  EXPECT_EQ(short_bytes_text(1597 * kMiB, 2), "1.6 GiB");
  EXPECT_EQ(short_bytes_text(1000 * kMiB), "0.98 GiB");
  EXPECT_EQ(short_bytes_text(10 * kMiB), "10 MiB");
  EXPECT_EQ(short_bytes_text(0), "0 B");
  EXPECT_EQ(short_bytes_change_text(-32 * kMiB),
            "\xE2\x88\x92"
            "32 MiB");
  EXPECT_EQ(short_bytes_change_text(600 * kMiB), "+600 MiB");
  EXPECT_EQ(figure_bytes_text(2048 * kMiB), "2.00 GiB");
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

TEST(NumberText, PlainNumbers_NeverHaveAnExponent) {
  EXPECT_EQ(plain_text(0), "0.00");
  EXPECT_EQ(plain_text(0.0842), "0.084");
  EXPECT_EQ(plain_text(2.6), "2.60");
  EXPECT_EQ(plain_text(74.26), "74.3");
  EXPECT_EQ(plain_text(3100.4),
            "3\xE2\x80\x89"
            "100");
  EXPECT_EQ(plain_text(-340),
            "\xE2\x88\x92"
            "340");
}

TEST(NumberText, TimeLeft_IsShortWhereRoomIsShort) {
  EXPECT_EQ(time_left_text(243, true), "4:03 left");
  EXPECT_EQ(time_left_text(3723, true), "1:02:03 left");
  EXPECT_EQ(time_left_text(243, false), "4 min 03 s left");
}

TEST(NumberText, TimeLeft_HasWholeSecondsAndOneAtLeast) {
  EXPECT_EQ(time_left_text(42.3, false), "42 s left");
  EXPECT_EQ(time_left_text(59.7, false), "1 min 00 s left");
  EXPECT_EQ(time_left_text(0.45, false), "1 s left");
  EXPECT_EQ(time_left_text(0.2, true), "0:01 left");
}

TEST(NumberText, MeasuredValues_KeepTheirZeros) {
  EXPECT_EQ(measured_text(0.5), "0.500");
  EXPECT_EQ(measured_text(0.0812), "0.0812");
  EXPECT_EQ(measured_text(2.9), "2.90");
  EXPECT_EQ(measured_text(0.99961), "1.00");
  EXPECT_EQ(measured_text(15), "15.0");
  EXPECT_EQ(measured_text(831.4), "831");
  EXPECT_EQ(measured_text(2.4e-4), "0.00024");
  EXPECT_EQ(measured_text(2.4e-5), "2.4e-5");
  EXPECT_EQ(measured_text(0), "0");
  EXPECT_EQ(measured_text(-0.5),
            "\xE2\x88\x92"
            "0.500");
  EXPECT_EQ(measured_text(std::numeric_limits<double>::infinity()), kNone);
}

TEST(NumberText, SmallRates_AreWrittenWithAPowerOfTen) {
  EXPECT_EQ(rate_text(2.44e-4), "2.4e-4");
  EXPECT_EQ(rate_text(1e-3), "1e-3");
  EXPECT_EQ(rate_text(0.05), "0.05");
  EXPECT_EQ(rate_text(0), "0");
  EXPECT_EQ(rate_text(3e-12), "3e-12");
  EXPECT_EQ(rate_text(std::numeric_limits<double>::infinity()), kNone);
}

TEST(NumberText, Exponents_HaveNoLeadingZero) {
  EXPECT_EQ(value_text(5e-5, 2), "5e-5");
  EXPECT_EQ(value_text(1.25e-12), "1.25e-12");
}

}  // namespace
}  // namespace headroom::ui
