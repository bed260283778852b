// The words, filters and figures of the workspace Data, without drawing.
#include "ui/data_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/ui/sample_folder.hpp"
#include "ui/class_balance.hpp"
#include "ui/finding_lines.hpp"
#include "ui/height_shares.hpp"
#include "ui/sample_choice.hpp"

namespace headroom::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kTimes = "\xC3\x97";
constexpr const char* kThin = "\xE2\x80\x89";

TEST(DataText, Sizes_AreOneOrARange) {
  base::DatasetSummary data{
      .samples = 2, .min_height = 20, .min_width = 10, .max_height = 20, .max_width = 10};
  EXPECT_EQ(ui::sizes_text(data), fmt::format("10 {} 20", kTimes));
  data.max_height = 2149;
  EXPECT_EQ(ui::sizes_text(data), fmt::format("10 {0} 20 to 10 {0} 2{1}149", kTimes, kThin));
  data.samples = 0;
  EXPECT_EQ(ui::sizes_text(data), "\xE2\x80\x93");
}

TEST(DataText, Shares_KeepDigitsThatCount) {
  EXPECT_EQ(ui::share_text(0.8612), "86.12 %");
  EXPECT_EQ(ui::share_text(0.0129), "1.29 %");
  EXPECT_EQ(ui::share_text(0.00004), "0.004 %");
  EXPECT_EQ(ui::share_text(1e-9), "< 0.001 %");
  EXPECT_EQ(ui::share_text(0), "0 %");
}

TEST(DataText, Pixels_AreExactWhileTheyAreFew) {
  EXPECT_EQ(ui::pixels_text(4120), fmt::format("4{}120", kThin));
  EXPECT_EQ(ui::pixels_text(314'700'000), fmt::format("315{}M", kThin));
  EXPECT_EQ(ui::pixels_text(33'100'000), fmt::format("33.1{}M", kThin));
  EXPECT_EQ(ui::pixels_text(1'600'000'000), fmt::format("1.60{}G", kThin));
}

TEST(DataText, IgnoredShare_IsOfAllPixels) {
  base::DatasetSummary data{.ignored_pixels = 25};
  data.classes = {{.pixels = 50}, {.pixels = 25}};
  EXPECT_DOUBLE_EQ(ui::ignored_share(data), 0.25);
  EXPECT_DOUBLE_EQ(ui::ignored_share({}), 0);
}

TEST(DataText, SplitSentence_SaysWhoDecided) {
  ui::DataFolder data;
  data.settings.step.seed = 7;
  EXPECT_EQ(ui::split_sentence(data), "a fifth for validation, drawn with seed 7");
  data.summary.findings = {{.code = "sides-of-the-data"}};
  EXPECT_EQ(ui::split_sentence(data), "by the data's own folders or lists");
  data.settings.data.split = "0.25";
  EXPECT_EQ(ui::split_sentence(data), "25 % for validation, drawn with seed 7");
  data.settings.data.split_by = "patient";
  EXPECT_EQ(ui::split_sentence(data), "25 % for validation, by patient, drawn with seed 7");
  data.settings.data.folds = 5;
  EXPECT_EQ(ui::split_sentence(data), "part 1 of 5 for validation, by patient, drawn with seed 7");
}

TEST(DataText, ChangedSettings_AreThoseOfTheScan) {
  base::Settings read_with, now;
  now.data.loader_threads = 7;
  now.step.batch = 9;
  EXPECT_THAT(ui::changed_settings(read_with, now), IsEmpty());
  now.data.split = "0.3";
  EXPECT_EQ(ui::changed_settings(read_with, now), "split");
  now.step.seed = 5;
  EXPECT_THAT(ui::changed_settings(read_with, now), testing::HasSubstr("seed"));
}

TEST(Findings, Shown_AreErrorsFirstAndOnlyWhatPasses) {
  using base::Severity;
  const std::vector<base::Finding> findings = {{Severity::info, "a", "", "one"},
                                               {Severity::error, "b", "x.png", "two"},
                                               {Severity::warning, "c", "", "three"},
                                               {Severity::error, "d", "", "four"}};
  EXPECT_THAT(ui::count_findings(findings), ElementsAre(1, 1, 2));
  EXPECT_THAT(ui::shown_findings(findings, {true, true, true}), ElementsAre(1, 3, 2, 0));
  const auto errors = ui::shown_findings(findings, {false, false, true});
  EXPECT_THAT(errors, ElementsAre(1, 3));
  EXPECT_EQ(ui::copied_findings(findings, errors), "error  b  x.png: two\nerror  d  four\n");
  EXPECT_EQ(ui::count_of_severity(Severity::info, 1), "1 note");
  EXPECT_EQ(ui::count_of_severity(Severity::error, 2), "2 errors");
}

TEST(Samples, Shown_PassSideAndText) {
  const SharedFolder folder = sample_folder({.samples = 10, .findings = 1});
  EXPECT_THAT(ui::shown_samples(*folder, ui::SampleFilter::validation, ""), ElementsAre(4, 9));
  EXPECT_THAT(ui::shown_samples(*folder, ui::SampleFilter::all, "FUNDUS_00"),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(ui::shown_samples(*folder, ui::SampleFilter::with_findings, ""), ElementsAre(1));
  EXPECT_THAT(ui::shown_samples(*folder, ui::SampleFilter::training, "_010"), IsEmpty());
}

TEST(Samples, Neighbour_GoesRoundTheEnds) {
  const std::vector<std::size_t> shown = {2, 5, 9};
  EXPECT_EQ(ui::neighbour(shown, 2, 1), 5U);
  EXPECT_EQ(ui::neighbour(shown, 9, 1), 2U);
  EXPECT_EQ(ui::neighbour(shown, 2, -1), 9U);
  EXPECT_EQ(ui::neighbour(shown, 6, -1), 5U) << "from one that is not shown";
  EXPECT_EQ(ui::neighbour({}, 6, 1), 6U);
}

TEST(ClassBalance, Shares_AreOfEachSide) {
  ui::DataFolder data;
  data.summary.classes = {{.pixels = 90}, {.pixels = 10}};
  data.samples = {{.side = ui::SplitSide::training, .class_pixels = {60, 0}},
                  {.side = ui::SplitSide::validation, .class_pixels = {15, 5}},
                  {.side = ui::SplitSide::none, .class_pixels = {15, 5}}};
  const ui::ClassShares shares = ui::class_shares(data);
  EXPECT_THAT(shares.all, ElementsAre(0.9, 0.1));
  EXPECT_THAT(shares.training, ElementsAre(1.0, 0.0));
  EXPECT_THAT(shares.validation, ElementsAre(0.75, 0.25));
}

TEST(ClassBalance, Scale_BeginsAtTheDecadeOfTheSmallestShare) {
  EXPECT_EQ(ui::first_decade({.all = {0.9, 0.1}}), -1);
  EXPECT_EQ(ui::first_decade({.all = {0.9, 0.012}}), -2);
  EXPECT_EQ(ui::first_decade({.training = {1, 0.0009}, .all = {0.9, 0.1}}), -4);
  EXPECT_EQ(ui::first_decade({.all = {1, 1e-12, 0}}), -6);
}

TEST(HeightShares, Parts_GetTheirLeastThenTheirWishThenTheRest) {
  const std::vector<ui::PartHeight> parts = {{10, 30}, {10, 15}, {20, 20}};
  EXPECT_THAT(ui::share_height(30, parts), ElementsAre(10, 10, 20)) << "too little";
  EXPECT_THAT(ui::share_height(50, parts), ElementsAre(20, 10, 20));
  EXPECT_THAT(ui::share_height(63, parts), ElementsAre(30, 13, 20));
  EXPECT_THAT(ui::share_height(100, parts), ElementsAre(30, 15, 55));
}

}  // namespace
}  // namespace headroom::tests
