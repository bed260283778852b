#include "core/run/timeline_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/run/csv.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

using plan::Phase;
using plan::Policy;
using testing::ElementsAre;
using testing::HasSubstr;

/// One stage, head and other over three points.
SharedTimeline small_timeline() {
  plan::StepTimeline timeline;
  timeline.step = 7;
  timeline.total_seconds = 0.5;
  timeline.owners = {"enc1", "head", "other"};
  timeline.plan = {Policy::full};
  timeline.seconds = {0, 0.125, 0.25};
  timeline.live_bytes = {0, 0, 10, 60, 30, 10, 20, 0, 10};
  timeline.spans = {
      {0, 0.1, Phase::data, -1}, {0.1, 0.2, Phase::forward, 1}, {0.2, 0.5, Phase::recompute, 0}};
  timeline.peak_point = 1;
  timeline.peak_phase = Phase::forward;
  timeline.peak_owner = 1;
  timeline.peak_bytes_by_phase[static_cast<std::size_t>(Phase::forward)] = 100;
  timeline.peak_tensors = {{.bytes = 60,
                            .role = "output of enc1.conv_a",
                            .shape = {1, 3, 5},
                            .dtype = "fp32",
                            .owner = 0,
                            .phase = Phase::forward},
                           {.bytes = 30, .role = "work buffer of head", .owner = 1}};
  timeline.peak_unnamed_bytes = 10;
  timeline.peak_unnamed_blocks = 2;
  return std::make_shared<const plan::StepTimeline>(timeline);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(TimelineText, Csv_HasARowAPointWithTheBytesOfEveryOwner) {
  const std::vector<SharedTimeline> timelines = {small_timeline()};
  EXPECT_THAT(lines_of(timelines_text(timelines, TimelineFormat::csv)),
              ElementsAre("plan,step,seconds,phase,stage,enc1_bytes,head_bytes,other_bytes,"
                          "total_bytes,is_peak",
                          "full,7,0,data,,0,0,10,10,0", "full,7,0.125,forward,head,60,30,10,100,1",
                          "full,7,0.25,recompute,enc1,20,0,10,30,0"));
}

TEST(TimelineText, CsvOfSeveral_HasOneHeaderAndAllTheirRows) {
  const std::vector<SharedTimeline> timelines = {small_timeline(), small_timeline()};
  EXPECT_EQ(lines_of(timelines_text(timelines, TimelineFormat::csv)).size(), 7U);
}

TEST(TimelineText, CsvUnderAGermanLocale_HasDecimalPoints) {
  const tests::CommaLocale locale;
  const std::vector<SharedTimeline> timelines = {small_timeline()};
  EXPECT_THAT(timelines_text(timelines, TimelineFormat::csv), HasSubstr(",0.125,"));
}

TEST(TimelineText, Json_ExplainsThePeak) {
  const std::vector<SharedTimeline> timelines = {small_timeline()};
  const auto document = nlohmann::json::parse(timelines_text(timelines, TimelineFormat::json));
  const nlohmann::json& step = document.at("steps").at(0);
  EXPECT_EQ(step.at("step"), 7);
  EXPECT_EQ(step.at("plan"), "full");
  EXPECT_EQ(step.at("owners"), nlohmann::json({"enc1", "head", "other"}));
  const nlohmann::json& peak = step.at("peak");
  EXPECT_EQ(peak.at("bytes"), 100);
  EXPECT_EQ(peak.at("seconds"), 0.125);
  EXPECT_EQ(peak.at("phase"), "forward");
  EXPECT_EQ(peak.at("stage"), "head");
  EXPECT_EQ(peak.at("bytes_by_owner").at("enc1"), 60);
  EXPECT_EQ(peak.at("bytes_by_phase").at("forward"), 100);
  EXPECT_EQ(peak.at("bytes_by_phase").at("save"), 0);
  EXPECT_EQ(peak.at("tensors").at(0), nlohmann::json({{"bytes", 60},
                                                      {"role", "output of enc1.conv_a"},
                                                      {"shape", {1, 3, 5}},
                                                      {"dtype", "fp32"},
                                                      {"stage", "enc1"},
                                                      {"phase", "forward"}}));
  EXPECT_TRUE(peak.at("tensors").at(1).at("dtype").is_null());
  EXPECT_EQ(peak.at("unnamed"), nlohmann::json({{"bytes", 10}, {"blocks", 2}}));
}

TEST(TimelineText, Json_HasSpansAndPoints) {
  const std::vector<SharedTimeline> timelines = {small_timeline()};
  const auto document = nlohmann::json::parse(timelines_text(timelines, TimelineFormat::json));
  const nlohmann::json& step = document.at("steps").at(0);
  EXPECT_EQ(step.at("spans").size(), 3U);
  EXPECT_TRUE(step.at("spans").at(0).at("stage").is_null());
  EXPECT_EQ(step.at("points").at(2), nlohmann::json({{"seconds", 0.25},
                                                     {"phase", "recompute"},
                                                     {"stage", "enc1"},
                                                     {"bytes", {20, 0, 10}},
                                                     {"total_bytes", 30}}));
}

TEST(TimelineFormatOfFile, Extension_DecidesInAnyCase) {
  EXPECT_EQ(timeline_format("a/b.json"), TimelineFormat::json);
  EXPECT_EQ(timeline_format("b.CSV"), TimelineFormat::csv);
  for (const char* const file : {"b.txt", "json", "b", ".json"}) {
    const auto error = tests::thrown_error([&] { (void)timeline_format(file); });
    ASSERT_TRUE(error.has_value()) << file;
    EXPECT_EQ(error->kind(), base::ErrorKind::usage);
    EXPECT_THAT(error->parts().remedy, HasSubstr(".csv"));
  }
}

TEST(TimelineFiles, Written_AreInTheRunsFolder) {
  const tests::TemporaryFolder folder;
  const auto file = timeline_file(folder.path(), 120);
  EXPECT_EQ(file, folder.path() / "timelines" / "step_000120.json");
  const std::vector<SharedTimeline> timelines = {small_timeline()};
  write_timeline(file, small_timeline());
  EXPECT_EQ(base::read_file(file), timelines_text(timelines, TimelineFormat::json));
}

TEST(TimelineFiles, WhereNoFolderCanBe_IsAnIoError) {
  const tests::TemporaryFolder folder;
  base::write_file_atomically(folder / "file", std::string_view("x"));
  const auto error = tests::thrown_error(
      [&] { write_timeline(folder / "file" / "timelines" / "a.csv", small_timeline()); });
  EXPECT_EQ(error->kind(), base::ErrorKind::io);
}

}  // namespace
}  // namespace headroom::run
