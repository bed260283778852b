#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/text_number.hpp"
#include "tests/support/comma_locale.hpp"

namespace headroom::base {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(ParseByteSize, EachUnit_GivesItsBytes) {
  EXPECT_EQ(parse_byte_size("1073741824"), 1073741824);
  EXPECT_EQ(parse_byte_size("6GiB"), 6442450944);
  EXPECT_EQ(parse_byte_size("512MiB"), 536870912);
  EXPECT_EQ(parse_byte_size("512 mib"), 536870912);
  EXPECT_EQ(parse_byte_size("1.5GB"), 1500000000);
  EXPECT_EQ(parse_byte_size("2 TiB"), 2199023255552);
  EXPECT_EQ(parse_byte_size("10 KB"), 10000);
  EXPECT_EQ(parse_byte_size("7B"), 7);
  EXPECT_EQ(parse_byte_size("0"), 0);
}

TEST(ParseByteSize, LargeWholeNumbers_StayExact) {
  EXPECT_EQ(parse_byte_size("9223372036854775807"), kMost);
  EXPECT_EQ(parse_byte_size("9007199254740993"), 9007199254740993);
}

TEST(ParseByteSize, AnythingElse_IsNothing) {
  for (const char* const text :
       {"", " ", "GiB", "-1GiB", "1,5GiB", "6 Gi B", "6GiBx", "1e3", "0x10", "nan", "inf",
        "1.2.3MiB", "9223372036854775808", "9000000TiB", "8388608TiB", "9999999999999.5TiB"}) {
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
  }
}

TEST(FormatBytes, AroundUnitBorders_ReadsWell) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(format_bytes(1610612736), "1.50 GiB");
  EXPECT_EQ(format_bytes(376963072), "359.5 MiB");
  EXPECT_EQ(format_bytes(-1610612736), "-1.50 GiB");
  EXPECT_EQ(format_bytes(kMost), "8388608.0 TiB");
}

TEST(ExactByteSize, AnySize_ReadsBackTheSame) {
  EXPECT_EQ(exact_byte_size(6442450944), "6GiB");
  EXPECT_EQ(exact_byte_size(1234567), "1234567");
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{1536}, std::int64_t{1} << 40, kMost}) {
    EXPECT_EQ(parse_byte_size(exact_byte_size(bytes)), bytes);
  }
}

TEST(ParseDuration, EachUnit_GivesItsSeconds) {
  EXPECT_EQ(parse_duration("5min"), 300);
  EXPECT_EQ(parse_duration("300s"), 300);
  EXPECT_EQ(parse_duration("300"), 300);
  EXPECT_EQ(parse_duration("1h"), 3600);
  EXPECT_EQ(parse_duration("1.5 h"), 5400);
  EXPECT_EQ(parse_duration("2d"), 172800);
}

TEST(ParseDuration, AnythingElse_IsNothing) {
  for (const char* const text : {"", "min", "-5min", "5 minutes", "1h30", "200000d"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(FormatDuration, EachMagnitude_HasItsOwnForm) {
  EXPECT_EQ(format_duration(0.008), "8 ms");
  EXPECT_EQ(format_duration(0.85), "0.85 s");
  EXPECT_EQ(format_duration(12.34), "12.3 s");
  EXPECT_EQ(format_duration(59.96), "1 min 00 s");
  EXPECT_EQ(format_duration(243), "4 min 03 s");
  EXPECT_EQ(format_duration(3599.9), "1 h 00 min");
  EXPECT_EQ(format_duration(7620), "2 h 07 min");
  EXPECT_EQ(format_duration(3 * 86400 + 4 * 3600), "3 d 04 h");
}

TEST(FormatDuration, UnknownLengths_AreADash) {
  EXPECT_EQ(format_duration(-1), "–");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "–");
}

TEST(ExactDuration, AnyLength_ReadsBackTheSame) {
  EXPECT_EQ(exact_duration(300), "5min");
  EXPECT_EQ(exact_duration(90), "90s");
  for (const std::int64_t seconds : {0, 1, 59, 60, 3600, 86400, 86401}) {
    EXPECT_EQ(parse_duration(exact_duration(seconds)), seconds);
  }
}

TEST(UtcTimestamp, KnownInstant_IsIso8601) {
  // 1 000 000 000 s after 1970 was 2001-09-09 01:46:40 UTC.
  const std::chrono::system_clock::time_point time{std::chrono::milliseconds(1'000'000'000'007)};
  EXPECT_EQ(utc_timestamp(time), "2001-09-09T01:46:40.007Z");
}

TEST(ParseInteger, OnlyWholeDecimalNumbers_AreTaken) {
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("+17"), 17);
  for (const char* const text :
       {"", "+", "+-1", "1.0", " 1", "1 ", "1,000", "99999999999999999999"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ParseReal, NotFinite_IsNoNumber) {
  EXPECT_EQ(parse_real("1e-3"), 1e-3);
  for (const char* const text : {"nan", "inf", "-inf", "1e999", "0,5", ""}) {
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
  }
}

TEST(Numbers, UnderADecimalCommaLocale_KeepThePoint) {
  const tests::CommaLocale commas;
  EXPECT_EQ(parse_real("0.5"), 0.5);
  EXPECT_EQ(parse_real("0,5"), std::nullopt);
  EXPECT_EQ(format_real(1234.5), "1234.5");
  EXPECT_EQ(format_bytes(1610612736), "1.50 GiB");
  EXPECT_EQ(parse_byte_size("1.5GiB"), 1610612736);
  EXPECT_EQ(exact_byte_size(1234567), "1234567");
  EXPECT_EQ(format_duration(12.34), "12.3 s");
}

TEST(FormatCount, Thousands_StandApart) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1680), "1\u2009680");
  EXPECT_EQ(format_count(-123456), "-123\u2009456");
  EXPECT_EQ(format_count(kMost), "9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009807");
}

}  // namespace
}  // namespace headroom::base
