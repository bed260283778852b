#include "core/data/split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/core/data/fake_reader.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
  return file.string();
}

TEST(MakeSplit, Share_TakesThatManyAndLosesNone) {
  const auto samples = tests::patterned_samples(10, 8, 8);
  const Split split = make_split(samples, "0.2", 3).split;
  EXPECT_EQ(split.validation.size(), 2U);
  EXPECT_EQ(split.train.size(), 8U);
  std::vector<std::int64_t> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::ranges::sort(all);
  EXPECT_THAT(all, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(MakeSplit, SeedDecides_WhoValidates) {
  const auto samples = tests::patterned_samples(50, 8, 8);
  EXPECT_EQ(make_split(samples, "0.2", 3).split.train, make_split(samples, "0.2", 3).split.train);
  EXPECT_NE(make_split(samples, "0.2", 3).split.train, make_split(samples, "0.2", 4).split.train);
}

TEST(MakeSplit, TinyOrHugeShare_LeavesOneSampleOnEachSide) {
  const auto samples = tests::patterned_samples(3, 8, 8);
  EXPECT_EQ(make_split(samples, "0.01", 0).split.validation.size(), 1U);
  EXPECT_EQ(make_split(samples, "0.99", 0).split.train.size(), 1U);
}

std::vector<Sample> pages_of_files(std::int64_t files, std::int64_t pages) {
  std::vector<Sample> samples;
  for (std::int64_t file = 0; file < files; ++file) {
    for (std::int64_t page = 0; page < pages; ++page)
      samples.push_back({.image = std::to_string(file) + ".tif", .page = page});
  }
  return samples;
}

TEST(MakeSplit, PagesOfAFile_StayOnOneSide) {
  const auto samples = pages_of_files(6, 4);
  const SplitResult result = make_split(samples, "0.3", 1);
  EXPECT_EQ(result.split.validation.size(), 8U);
  EXPECT_THAT(result.findings, testing::IsEmpty());
  for (std::size_t i = 0; i < 8; i += 4) {
    const auto first = static_cast<std::size_t>(result.split.validation[i]);
    for (std::size_t page = 0; page < 4; ++page)
      EXPECT_EQ(samples[static_cast<std::size_t>(result.split.validation[i + page])].image,
                samples[first].image);
  }
}

TEST(MakeSplit, FileWhoseFirstPageIsMissing_IsAFileLikeOthers) {
  std::vector<Sample> samples = pages_of_files(2, 3);
  samples.erase(samples.begin());
  samples.erase(samples.begin() + 2);
  const SplitResult result = make_split(samples, "0.5", 1);
  const std::vector<std::int64_t> first = {0, 1}, second = {2, 3};
  EXPECT_TRUE(result.split.train == first || result.split.train == second);
  EXPECT_EQ(result.split.validation, result.split.train == first ? second : first);
}

TEST(MakeSplit, PagesOfOneFile_ValidateAtTheEndWithAWarning) {
  const SplitResult result = make_split(pages_of_files(1, 5), "0.4", 1);
  EXPECT_THAT(result.split.train, ElementsAre(0, 1, 2));
  EXPECT_THAT(result.split.validation, ElementsAre(3, 4));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "one-file-on-both-sides");
}

TEST(MakeSplit, CommaLocale_ReadsThePoint) {
  const tests::CommaLocale commas;
  EXPECT_EQ(make_split(tests::patterned_samples(10, 8, 8), "0.5", 0).split.validation.size(), 5U);
}

TEST(MakeSplit, OneSample_IsAUsageErrorWithARemedy) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(make_split(tests::patterned_samples(1, 8, 8), "0.2", 0)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
  EXPECT_THAT(error->parts().remedy, HasSubstr("add more images"));
}

TEST(MakeSplit, ShareOutsideZeroToOne_IsAUsageError) {
  for (const char* share : {"0", "1", "-0.5", "20"}) {
    const auto error = tests::thrown_error(
        [&] { static_cast<void>(make_split(tests::patterned_samples(4, 8, 8), share, 0)); });
    ASSERT_TRUE(error) << share;
    EXPECT_EQ(error->exit_code(), 2) << share;
  }
}

class SplitFile : public testing::Test {
 protected:
  [[nodiscard]] SplitResult split(const std::string& json) const {
    return make_split(samples_, write_text(folder_ / "split.json", json), 0);
  }
  [[nodiscard]] std::string refusal(const std::string& json) const {
    const auto error = tests::thrown_error([&] { static_cast<void>(split(json)); });
    if (!error) return {};
    EXPECT_EQ(error->exit_code(), 2);
    return error->what();
  }

  const tests::TemporaryFolder folder_;
  const std::vector<Sample> samples_ = tests::patterned_samples(4, 8, 8);
};

TEST_F(SplitFile, Lists_BecomeTheSides) {
  const SplitResult result = split(R"({"train": ["3", "0"], "val": ["1", "2"], "mapping": {}})");
  EXPECT_THAT(result.split.train, ElementsAre(0, 3));
  EXPECT_THAT(result.split.validation, ElementsAre(1, 2));
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(SplitFile, SampleInNeitherList_IsLeftOutWithAFinding) {
  const SplitResult result = split(R"({"train": ["3"], "val": ["1"]})");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "samples-left-out");
  EXPECT_THAT(result.findings[0].message, HasSubstr("2 of 4"));
}

TEST_F(SplitFile, UnknownId_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3", "seven"], "val": ["1"]})"), HasSubstr("seven"));
}

TEST_F(SplitFile, SampleOnBothSides_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3"], "val": ["1", "3"]})"), HasSubstr("'3' is listed twice"));
}

TEST_F(SplitFile, EmptyOrMissingOrWrongList_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3"], "val": []})"), HasSubstr("\"val\""));
  EXPECT_THAT(refusal(R"({"val": ["1"]})"), HasSubstr("\"train\""));
  EXPECT_THAT(refusal(R"({"train": [3], "val": ["1"]})"), HasSubstr("no text: 3"));
  EXPECT_THAT(refusal("[]"), HasSubstr("split.json"));
}

TEST_F(SplitFile, NoSuchFile_IsAUsageErrorThatNamesIt) {
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(make_split(samples_, (folder_ / "none.json").string(), 0)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
  EXPECT_THAT(error->what(), HasSubstr("none.json"));
}

TEST(FindUnlearnableClasses, ClassOnlyInValidation_IsAWarning) {
  const Split split{.train = {0}, .validation = {1}};
  const auto findings = find_unlearnable_classes(split, {{5, 0, 0}, {1, 2, 0}}, {"a", "b", "c"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, base::Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("class 1 (b)"));
}

}  // namespace
}  // namespace headroom::data
