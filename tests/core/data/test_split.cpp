#include "core/data/split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/core/data/fake_reader.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> codes_of(const SplitResult& result) {
  std::vector<std::string> codes;
  for (const auto& finding : result.findings) codes.push_back(finding.code);
  return codes;
}

Split split_of(std::int64_t count, const std::string& from, std::int64_t seed) {
  return make_split(tests::patterned_samples(count, 8, 8), {.from = from, .seed = seed}).split;
}

TEST(MakeSplit, Share_TakesThatManyAndLosesNone) {
  const Split split = split_of(10, "0.2", 3);
  EXPECT_EQ(split.validation.size(), 2U);
  EXPECT_EQ(split.train.size(), 8U);
  std::vector<std::int64_t> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::ranges::sort(all);
  EXPECT_THAT(all, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(MakeSplit, SeedDecides_WhoValidates) {
  EXPECT_EQ(split_of(50, "0.2", 3).train, split_of(50, "0.2", 3).train);
  EXPECT_NE(split_of(50, "0.2", 3).train, split_of(50, "0.2", 4).train);
}

TEST(MakeSplit, TinyOrHugeShare_LeavesOneSampleOnEachSide) {
  EXPECT_EQ(split_of(3, "0.01", 0).validation.size(), 1U);
  EXPECT_EQ(split_of(3, "0.99", 0).train.size(), 1U);
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
  const SplitResult result = make_split(samples, {.from = "0.3", .seed = 1});
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
  const SplitResult result = make_split(samples, {.from = "0.5", .seed = 1});
  const std::vector<std::int64_t> first = {0, 1}, second = {2, 3};
  EXPECT_TRUE(result.split.train == first || result.split.train == second);
  EXPECT_EQ(result.split.validation, result.split.train == first ? second : first);
}

TEST(MakeSplit, PagesOfOneFile_ValidateAtTheEndWithAWarning) {
  const SplitResult result = make_split(pages_of_files(1, 5), {.from = "0.4", .seed = 1});
  EXPECT_THAT(result.split.train, ElementsAre(0, 1, 2));
  EXPECT_THAT(result.split.validation, ElementsAre(3, 4));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "one-file-on-both-sides");
}

TEST(MakeSplit, CommaLocale_ReadsThePoint) {
  const tests::CommaLocale commas;
  EXPECT_EQ(split_of(10, "0.5", 0).validation.size(), 5U);
}

TEST(MakeSplit, OneSample_IsAUsageErrorWithARemedy) {
  const auto error = tests::thrown_error([] { static_cast<void>(split_of(1, "0.2", 0)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
  EXPECT_THAT(error->parts().remedy, HasSubstr("add more images"));
}

TEST(MakeSplit, ShareOutsideZeroToOne_IsAUsageError) {
  for (const char* share : {"0", "1", "-0.5", "20"}) {
    const auto error = tests::thrown_error([&] { static_cast<void>(split_of(4, share, 0)); });
    ASSERT_TRUE(error) << share;
    EXPECT_EQ(error->exit_code(), 2) << share;
  }
}

TEST(MakeSplit, Seed_DrawsTheSameAsEver) {
  // From another implementation of the permutation.
  EXPECT_THAT(split_of(10, "0.2", 3).validation, ElementsAre(2, 3));
  EXPECT_THAT(split_of(10, "auto", 0).validation, ElementsAre(6, 7));
  EXPECT_THAT(split_of(50, "0.2", 7).validation, ElementsAre(0, 1, 11, 23, 26, 34, 35, 41, 44, 48));
}

TEST(MakeSplit, Folds_AreThePartsOfOneDrawing) {
  const auto samples = tests::patterned_samples(10, 8, 8);
  const auto fold = [&](std::int64_t number) {
    return make_split(samples, {.folds = 3, .fold = number, .seed = 5}).split;
  };
  EXPECT_THAT(fold(0).validation, ElementsAre(0, 3, 4, 8));
  EXPECT_THAT(fold(1).validation, ElementsAre(1, 2, 9));
  EXPECT_THAT(fold(2).validation, ElementsAre(5, 6, 7));
  EXPECT_THAT(fold(2).train, ElementsAre(0, 1, 2, 3, 4, 8, 9));
}

TEST(MakeSplit, FoldsOfGroups_KeepThemWholeAndUseEachOnce) {
  const auto samples = pages_of_files(7, 3);
  std::vector<std::int64_t> validated;
  for (std::int64_t fold = 0; fold < 4; ++fold) {
    const Split split = make_split(samples, {.folds = 4, .fold = fold}).split;
    EXPECT_EQ(split.validation.size() % 3, 0U);
    EXPECT_EQ(split.validation.size() + split.train.size(), samples.size());
    validated.insert(validated.end(), split.validation.begin(), split.validation.end());
  }
  std::ranges::sort(validated);
  std::vector<std::int64_t> all(samples.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(validated, all);
}

TEST(MakeSplit, FoldsOfOneFile_AreItsPagesInARow) {
  const SplitResult result = make_split(pages_of_files(1, 9), {.folds = 3, .fold = 1});
  EXPECT_THAT(result.split.validation, ElementsAre(3, 4, 5));
  EXPECT_THAT(codes_of(result), ElementsAre("one-file-on-both-sides"));
}

TEST(MakeSplit, MoreFoldsThanFiles_SaysHowManyThereMayBe) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(make_split(tests::patterned_samples(3, 8, 8), {.folds = 5})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
  EXPECT_THAT(error->parts().remedy, HasSubstr("--folds 3"));
}

TEST(MakeSplit, AllSamplesInOneGroup_AreAUsageError) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(make_split(tests::patterned_samples(4, 8, 8), {.by = "folder"})); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("--split-by folder puts all 4 samples into one group"));
}

/// Six samples: two to train, two to validate, one of the test, one without a side.
std::vector<Sample> samples_with_sides() {
  auto samples = tests::patterned_samples(6, 8, 8);
  samples[0].side = samples[3].side = SplitSide::train;
  samples[1].side = samples[4].side = SplitSide::validation;
  samples[2].side = SplitSide::test;
  return samples;
}

TEST(MakeSplit, SidesOfTheData_AreTakenWhereNothingElseIsAskedFor) {
  const SplitResult result = make_split(samples_with_sides(), {});
  EXPECT_THAT(result.split.train, ElementsAre(0, 3));
  EXPECT_THAT(result.split.validation, ElementsAre(1, 4));
  EXPECT_THAT(codes_of(result),
              ElementsAre("sides-of-the-data", "test-left-out", "samples-left-out"));
  for (const auto& finding : result.findings) EXPECT_EQ(finding.severity, base::Severity::info);
  EXPECT_THAT(result.findings[0].message, HasSubstr("2 and 2 samples"));
}

TEST(MakeSplit, ShareBesideSidesOfTheData_DrawsFromAllButTheTest) {
  const SplitResult result = make_split(samples_with_sides(), {.from = "0.4"});
  EXPECT_EQ(result.split.validation.size(), 2U);
  EXPECT_EQ(result.split.train.size(), 3U);
  EXPECT_THAT(result.split.train, testing::Not(testing::Contains(2)));
  EXPECT_THAT(result.split.validation, testing::Not(testing::Contains(2)));
  EXPECT_THAT(codes_of(result), ElementsAre("test-left-out"));
}

TEST(MakeSplit, TrainAndTestFolders_DrawValidationFromTraining) {
  auto samples = tests::patterned_samples(6, 8, 8);
  for (std::size_t i = 0; i < 4; ++i) samples[i].side = SplitSide::train;
  for (std::size_t i = 4; i < 6; ++i) samples[i].side = SplitSide::test;
  const SplitResult result = make_split(samples, {});
  EXPECT_EQ(result.split.validation.size(), 1U);
  EXPECT_EQ(result.split.train.size(), 3U);
  EXPECT_THAT(codes_of(result), ElementsAre("test-left-out"));
}

TEST(MakeSplit, SamplesOfTheTestOnly_AreUsed) {
  auto samples = tests::patterned_samples(5, 8, 8);
  for (Sample& sample : samples) sample.side = SplitSide::test;
  const SplitResult result = make_split(samples, {});
  EXPECT_EQ(result.split.train.size(), 4U);
  EXPECT_THAT(result.findings, testing::IsEmpty());
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
