// The awkward and corrupt files of shared/data/robustness against what independent readers found in
// them: robustness_values.tsv, written by reference_values.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tests/core/formats/limited_read.hpp"
#include "tests/core/formats/raster_files.hpp"

namespace headroom::formats {
namespace {

struct Expected {
  tests::ReadFacts facts{};
  bool is_lossy = false;
};

std::map<std::string, Expected> expected_values() {
  std::ifstream table(std::string(HEADROOM_SOURCE_DIR) +
                      "/tests/core/formats/robustness_values.tsv");
  std::map<std::string, Expected> values;
  std::string line;
  while (std::getline(table, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string name, crc;
    Expected expected;
    std::getline(fields, name, '\t');
    fields >> expected.facts.height >> expected.facts.width >> expected.facts.channels >>
        expected.facts.type >> crc >> expected.facts.mean;
    expected.is_lossy = crc.starts_with('~');
    expected.facts.crc =
        static_cast<std::uint32_t>(std::stoul(crc.substr(expected.is_lossy ? 1 : 0), nullptr, 16));
    values.emplace(name, expected);
  }
  return values;
}

/// A decoder of lossy pictures may round otherwise.
constexpr double kLossyMeanTolerance = 0.5;

bool agree(const tests::ReadFacts& found, const Expected& expected) {
  const tests::ReadFacts& facts = expected.facts;
  if (found.height != facts.height || found.width != facts.width ||
      found.channels != facts.channels || (facts.type != "-" && found.type != facts.type))
    return false;
  return found.crc == facts.crc ||
         (expected.is_lossy && std::abs(found.mean - facts.mean) < kLossyMeanTolerance);
}

TEST(Robustness, EveryFile_IsReadRightOrRefusedByName) {
  const auto folder = tests::real_data("robustness");
  if (!folder) GTEST_SKIP() << "no robustness in $HEADROOM_TEST_DATA or shared/data";
  const auto values = expected_values();
  ASSERT_GT(values.size(), 390U);
  std::int64_t right = 0;
  for (const auto& file : tests::files_below(*folder)) {
    const tests::LimitedRead result = tests::read_within_limits(file);
    const std::string name = file.lexically_relative(*folder).string();
    switch (result.verdict) {
      case tests::ReadVerdict::read:
        if (const auto expected = values.find(name); expected != values.end()) {
          const bool is_right = agree(result.facts, expected->second);
          EXPECT_TRUE(is_right) << name << ": " << tests::text_of(result.facts) << ", expected "
                                << tests::text_of(expected->second.facts);
          right += is_right ? 1 : 0;
        }
        break;
      case tests::ReadVerdict::refused:
        EXPECT_THAT(result.message, testing::HasSubstr(file.filename().string()));
        break;
      case tests::ReadVerdict::crashed:
      case tests::ReadVerdict::hung:
        ADD_FAILURE() << name << ": " << tests::name_of(result.verdict) << ", " << result.message;
    }
  }
  EXPECT_GE(right, 370);
}

}  // namespace
}  // namespace headroom::formats
