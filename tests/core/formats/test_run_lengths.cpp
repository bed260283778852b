#include "core/formats/run_lengths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace headroom::formats {
namespace {

/// Rows top to bottom.
std::vector<int> paint(const std::vector<ColumnRun>& runs, std::int64_t height,
                       std::int64_t width) {
  std::vector<int> pixels(static_cast<std::size_t>(height * width));
  for (const ColumnRun& run : runs) {
    for (std::int64_t i = run.first; i < run.first + run.length; ++i)
      pixels.at(static_cast<std::size_t>(i % height * width + i / height)) = 1;
  }
  return pixels;
}

// The texts are what pycocotools 2.0 writes for these masks.
TEST(CompressedCounts, SmallMask_IsWhatCocoToolsEncoded) {
  const auto counts = parse_compressed_counts(";32NO01200ON3");
  ASSERT_TRUE(counts);
  const auto runs = runs_of_counts(*counts, 5 * 7);
  ASSERT_TRUE(runs);
  EXPECT_THAT(paint(*runs, 5, 7), testing::ElementsAre(0, 0, 0, 0, 0, 0, 1,  //
                                                       0, 0, 1, 1, 1, 1, 0,  //
                                                       0, 0, 1, 0, 1, 1, 0,  //
                                                       0, 0, 1, 1, 1, 1, 0,  //
                                                       0, 0, 0, 0, 0, 0, 0));
}

TEST(CompressedCounts, LargeCounts_IsWhatCocoToolsEncoded) {
  // 100 x 1000: columns 300 to 304, and the pixels (50, 700) and (99, 999).
  const auto counts = parse_compressed_counts("`Ym0d?ncV1]@ncF0");
  ASSERT_TRUE(counts);
  EXPECT_THAT(*counts, testing::ElementsAre(30000, 500, 39550, 1, 29948, 1));
}

TEST(CompressedCounts, OtherText_IsNothing) {
  EXPECT_FALSE(parse_compressed_counts("1 2 3"));             // a blank is no digit
  EXPECT_FALSE(parse_compressed_counts("P"));                 // ends within a number
  EXPECT_FALSE(parse_compressed_counts("N"));                 // below 0
  EXPECT_FALSE(parse_compressed_counts("oooooooooooooooo"));  // longer than any number
  EXPECT_FALSE(parse_compressed_counts("\xff\x80"));
}

TEST(RunsOfCounts, BeyondTheImageOrNegative_IsNothing) {
  EXPECT_TRUE(runs_of_counts(std::vector<std::int64_t>{2, 4}, 6));
  EXPECT_FALSE(runs_of_counts(std::vector<std::int64_t>{2, 5}, 6));
  EXPECT_FALSE(runs_of_counts(std::vector<std::int64_t>{2, -1, 3}, 6));
  EXPECT_FALSE(runs_of_counts(std::vector<std::int64_t>{1, INT64_MAX}, 6));
}

TEST(StartLengthPairs, AreCountedFromOne) {
  const auto runs = parse_start_length_pairs(" 1 2  5 1\n");
  ASSERT_TRUE(runs);
  EXPECT_THAT(paint(*runs, 3, 2), testing::ElementsAre(1, 0, 1, 1, 0, 0));
  EXPECT_TRUE(parse_start_length_pairs("")->empty());
}

TEST(StartLengthPairs, OtherText_IsNothing) {
  for (const char* const text : {"1", "1 2 3", "0 3", "1 0", "-1 2", "1 x", "1.5 2", "9e9 1",
                                 "99999999999999999999 1", "4 9999999999999999"}) {
    EXPECT_FALSE(parse_start_length_pairs(text)) << text;
  }
}

}  // namespace
}  // namespace headroom::formats
