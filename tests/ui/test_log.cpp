// The log: which lines pass, how they read, and the panel itself.
#include "ui/log.hpp"

#include <gtest/gtest.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/log_lines.hpp"

namespace headroom::tests {
namespace {

using std::chrono::system_clock;
using ui::LogFilter;

std::vector<run::LogEntry> mixed_log() {
  using base::Severity;
  using run::LogTopic;
  const system_clock::time_point noon{std::chrono::hours(12)};
  return {{.time = noon, .topic = LogTopic::event, .text = "Training started"},
          {.time = noon,
           .severity = Severity::warning,
           .topic = LogTopic::finding,
           .text = "Mask size differs"},
          {.time = noon, .topic = LogTopic::plan, .text = "Plan A: enc3 Full", .plan_number = 1},
          {.time = noon,
           .severity = Severity::error,
           .topic = LogTopic::event,
           .text = "Out of memory"}};
}

TEST(LogLines, All_AreNewestFirst) {
  EXPECT_EQ(ui::shown_lines(mixed_log(), LogFilter::all, ""),
            (std::vector<std::size_t>{3, 2, 1, 0}));
}

TEST(LogLines, Findings_AreWhatWasFoundAndWhatWentWrong) {
  EXPECT_EQ(ui::shown_lines(mixed_log(), LogFilter::findings, ""),
            (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(ui::shown_lines(mixed_log(), LogFilter::events, ""),
            (std::vector<std::size_t>{3, 2, 0}));
}

TEST(LogLines, Text_IsFoundWhateverItsCase) {
  EXPECT_EQ(ui::shown_lines(mixed_log(), LogFilter::all, "ENC3"), (std::vector<std::size_t>{2}));
  EXPECT_TRUE(ui::shown_lines(mixed_log(), LogFilter::all, "no such words").empty());
  EXPECT_TRUE(ui::shown_lines({}, LogFilter::all, "").empty());
}

TEST(LogLines, Time_IsLocalAndWithinADay) {
  const system_clock::time_point time{std::chrono::seconds(23 * 3600 + 59 * 60 + 7)};
  EXPECT_EQ(ui::clock_text(time, std::chrono::minutes(0)), "23:59:07");
  EXPECT_EQ(ui::clock_text(time, std::chrono::minutes(90)), "01:29:07");
  EXPECT_EQ(ui::clock_text(system_clock::time_point{}, std::chrono::minutes(-330)), "18:30:00");
}

run::RunSnapshot snapshot_with_log() {
  run::RunSnapshot snapshot = training_snapshot({.steps_done = 10});
  snapshot.log = mixed_log();
  return snapshot;
}

TEST(Log, OfFindings_ShowsTheirLinesOnly) {
  HeadlessDashboard window;
  window.run = shared(snapshot_with_log());
  window.settle();
  ASSERT_NE(window.find("log/line/0"), nullptr);
  EXPECT_EQ(window.find("log/line/2")->text, "Plan A: enc3 Full");
  window.click("log/filter/Findings");
  window.frame();
  EXPECT_EQ(window.find("log/line/2"), nullptr);
  EXPECT_NE(window.find("log/line/1"), nullptr);
}

TEST(Log, WithATypedFilter_ShowsAndCopiesWhatPasses) {
  HeadlessDashboard window;
  window.run = shared(snapshot_with_log());
  window.shell.utc_offset = std::chrono::minutes(60);
  window.settle();
  window.click("log/text");
  window.type("plan");
  EXPECT_EQ(window.find("log/line/0"), nullptr);
  ASSERT_NE(window.find("log/line/2"), nullptr);
  window.click("log/copy");
  EXPECT_STREQ(ImGui::GetClipboardText(), "13:00:00  Plan A: enc3 Full\n");
}

TEST(Log, WithoutALineToCopy_TellsWhyItCannot) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = snapshot_with_log();
  snapshot.log.clear();
  window.run = shared(std::move(snapshot));
  window.settle();
  ASSERT_NE(window.find("log/copy"), nullptr);
  EXPECT_FALSE(window.find("log/copy")->enabled);
  EXPECT_EQ(window.find("log/copy")->text, "There is no line to copy.");
}

TEST(Log, OfManyLines_DrawsThoseInSightOnly) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = snapshot_with_log();
  for (int i = 0; i < 396; ++i) snapshot.log.push_back({.text = "line"});
  window.run = shared(std::move(snapshot));
  window.settle();
  int lines = 0;
  for (const ui::ProbedItem& item : window.probe().items()) {
    if (item.name.starts_with("log/line/")) ++lines;
  }
  EXPECT_GT(lines, 5);
  EXPECT_LT(lines, 60);
}

}  // namespace
}  // namespace headroom::tests
