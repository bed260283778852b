#include "core/data/sample_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Sample> samples_of(const std::vector<std::string>& ids) {
  std::vector<Sample> samples;
  for (const std::string& id : ids)
    samples.push_back({.id = id, .image = "/data/" + id.substr(0, id.find_first_of("#@"))});
  return samples;
}

SampleGroups group(const std::vector<Sample>& samples, const std::string& by) {
  std::vector<std::int64_t> all(samples.size());
  std::iota(all.begin(), all.end(), 0);
  return group_samples(samples, all, by);
}

std::string refusal(const std::vector<Sample>& samples, const std::string& by) {
  const auto error = tests::thrown_error([&] { static_cast<void>(group(samples, by)); });
  if (!error) return {};
  EXPECT_EQ(error->exit_code(), 2);
  return error->what();
}

const std::vector<std::string> kCases = {"a/case1_x.png", "a/case10_x.png", "b/case1_y.png",
                                         "b/stack.tif#1", "b/stack.tif#2"};

TEST(GroupSamples, BySample_KeepsPagesOfAFileTogether) {
  EXPECT_THAT(group(samples_of(kCases), "sample").groups,
              ElementsAre(SampleGroup{0}, SampleGroup{1}, SampleGroup{2}, SampleGroup{3, 4}));
}

TEST(GroupSamples, ByFolder_TakesTheParentFolder) {
  EXPECT_THAT(group(samples_of(kCases), "folder").groups,
              ElementsAre(SampleGroup{0, 1}, SampleGroup{2, 3, 4}));
}

TEST(GroupSamples, ByExpression_TakesTheTextOfItsGroup) {
  EXPECT_THAT(group(samples_of(kCases), "(case[0-9]+|stack)").groups,
              ElementsAre(SampleGroup{0, 2}, SampleGroup{1}, SampleGroup{3, 4}));
}

TEST(GroupSamples, ByExpression_TakesTheGroupThatTookPart) {
  EXPECT_THAT(group(samples_of(kCases), "(?:case([0-9])[0-9]?|(stack))").groups,
              ElementsAre(SampleGroup{0, 1, 2}, SampleGroup{3, 4}));
}

TEST(GroupSamples, ExpressionThatParesAFile_KeepsItsPagesTogether) {
  EXPECT_THAT(group(samples_of({"s.tif#1", "s.tif#2", "t.tif#2"}), "#([0-9])").groups,
              ElementsAre(SampleGroup{0, 1, 2}));
}

TEST(GroupSamples, ChosenSamples_AreGroupedAlone) {
  EXPECT_THAT(group_samples(samples_of(kCases), {1, 2, 4}, "folder").groups,
              ElementsAre(SampleGroup{1}, SampleGroup{2, 4}));
}

TEST(GroupSamples, ByPatient_JoinsSeriesAndFolders) {
  auto samples = samples_of(kCases);
  samples[0].patient = samples[3].patient = "P1";
  samples[1].patient = samples[2].patient = samples[4].patient = "P2";
  samples[4].patient = "P1";
  EXPECT_THAT(group(samples, "patient").groups,
              ElementsAre(SampleGroup{0, 3, 4}, SampleGroup{1, 2}));
}

TEST(GroupSamples, FilesWithoutSeries_StandAloneWithAWarning) {
  auto samples = samples_of(kCases);
  samples[0].series = samples[2].series = "1.2";
  const SampleGroups result = group(samples, "series");
  EXPECT_THAT(result.groups, ElementsAre(SampleGroup{0, 2}, SampleGroup{1}, SampleGroup{3, 4}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "group-unknown");
  EXPECT_EQ(result.findings[0].severity, base::Severity::warning);
  EXPECT_EQ(result.findings[0].file, "a/case10_x.png");
  EXPECT_THAT(result.findings[0].message, HasSubstr("3 of 5"));
}

TEST(GroupSamples, NoPatientAtAll_IsRefused) {
  EXPECT_THAT(refusal(samples_of(kCases), "patient"), HasSubstr("no sample has a DICOM patient"));
}

TEST(GroupSamples, ByBlocks_KeepsTheSamePlaceOfAllPagesTogether) {
  auto samples = samples_of({"s.tif#1@r0c0", "s.tif#1@r0c1", "s.tif#2@r0c0", "s.tif#2@r0c1"});
  for (std::size_t i = 0; i < 4; ++i)
    samples[i].part =
        ImagePart{.left = i % 2 == 0 ? 0 : 64, .image_height = 64, .image_width = 128};
  EXPECT_THAT(group(samples, "blocks").groups, ElementsAre(SampleGroup{0, 2}, SampleGroup{1, 3}));
}

TEST(GroupSamples, WrongExpression_IsNamed) {
  EXPECT_THAT(refusal(samples_of(kCases), "(case"), HasSubstr("'(case' is no regular expression"));
  EXPECT_THAT(refusal(samples_of(kCases), "case\\("), HasSubstr("has no group"));
  EXPECT_THAT(refusal(samples_of(kCases), "case([0-9]+)"),
              HasSubstr("is not found in 'b/stack.tif#1'"));
}

}  // namespace
}  // namespace headroom::data
