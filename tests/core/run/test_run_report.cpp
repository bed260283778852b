#include "core/run/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/run/report_runs.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

using plan::Plan;
using plan::Policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RunReportTest : public testing::Test {
 protected:
  [[nodiscard]] RunReport read() const { return read_run_report(run_); }
  void remove(const char* name) const { std::filesystem::remove(run_ / name); }

  tests::TemporaryFolder folder_{};
  std::filesystem::path run_ = folder_ / "a run";
};

TEST_F(RunReportTest, ExampleRun_HasItsFigures) {
  write_example_run(run_);
  const RunReport report = read();
  EXPECT_EQ(report.name, "a run");
  EXPECT_EQ(report.end, RunEnd::completed);
  EXPECT_EQ(report.steps_done, 8);
  EXPECT_EQ(report.facts.steps, 8);
  EXPECT_EQ(report.facts.budget_bytes, 4096);
  EXPECT_EQ(report.facts.device, "CPU, 2 threads");
  EXPECT_EQ(report.began, "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(report.ended, "2026-01-01T02:00:00.000Z");
  EXPECT_THAT(report.resumed_after, ElementsAre(4));
  EXPECT_EQ(report.last_loss, 0.125);
  EXPECT_EQ(report.peak_bytes, 200);
  EXPECT_EQ(report.peak_total_bytes, 3100);
  EXPECT_EQ(report.step_seconds, 6) << "of 9, 1, 3, 9, 5, 7, 9, 4 the middle is 5 and 7";
  EXPECT_EQ(report.seconds[static_cast<std::size_t>(plan::Phase::data)], 8);
  EXPECT_EQ(report.seconds[static_cast<std::size_t>(plan::Phase::recompute)], 4);
  EXPECT_THAT(report.gaps, IsEmpty());
}

TEST_F(RunReportTest, Plans_AreMeasuredWithoutTheFirstStepAfterAChange) {
  write_example_run(run_);
  const std::vector<PlanSteps> plans = read().plans;
  ASSERT_THAT(plans, SizeIs(2));
  EXPECT_EQ(plans[0].form.plan, Plan(3, Policy::keep));
  EXPECT_EQ(plans[0].first_step, 1);
  EXPECT_EQ(plans[0].steps, 5);
  EXPECT_EQ(plans[0].peak_total_bytes, 3100);
  EXPECT_EQ(plans[0].peak_bytes, 200);
  EXPECT_EQ(plans[0].step_seconds, 3);
  EXPECT_EQ(plans[0].of_keep, 1);
  EXPECT_EQ(plans[1].form.plan, Plan(3, Policy::full));
  EXPECT_EQ(plans[1].first_step, 4);
  EXPECT_EQ(plans[1].steps, 3);
  EXPECT_EQ(plans[1].peak_total_bytes, 2960);
  EXPECT_EQ(plans[1].step_seconds, 6);
  EXPECT_EQ(plans[1].recompute_seconds, 2);
  EXPECT_EQ(plans[1].of_keep, 2);
}

TEST_F(RunReportTest, KeepOfOtherTilesAtOnce_IsNotComparedWith) {
  write_example_run(run_);
  write_run_file(run_, "plans.csv",
                 "id,step,plan,tiles_at_once,cause\n1,1,keep,2,asked\n2,4,full,1,asked\n");
  const std::vector<PlanSteps> plans = read().plans;
  ASSERT_THAT(plans, SizeIs(2));
  EXPECT_EQ(plans[1].of_keep, std::nullopt);
}

TEST_F(RunReportTest, Validations_TellTheBest) {
  write_example_run(run_);
  const RunReport report = read();
  ASSERT_THAT(report.validations, SizeIs(2));
  ASSERT_NE(report.best_validation(), nullptr);
  EXPECT_EQ(report.best_validation()->step, 4);
  EXPECT_EQ(report.best_validation()->classes[1].name, "<cell>");
  EXPECT_EQ(report.best_validation()->classes[1].dice, 0.375);
}

TEST_F(RunReportTest, ManySteps_BecomeFewPointsThatLoseNoPeak) {
  write_example_run(run_);
  std::string steps = kStepsHeader;
  for (int step = 1; step <= 5000; ++step) {
    const bool is_spike = step == 3333;
    steps += std::to_string(step) + ",1," + (is_spike ? "7" : "1") + ",0.001,0,1,0,0,0,0,0,0,10," +
             (is_spike ? "99" : "20") + ",1\n";
  }
  write_run_file(run_, "steps.csv", steps);
  const std::vector<HistoryPoint> history = read().history;
  ASSERT_LE(history.size(), RunReport::kHistoryPoints);
  ASSERT_GT(history.size(), RunReport::kHistoryPoints / 4);
  EXPECT_EQ(history.front().first_step, 1);
  EXPECT_EQ(history.back().last_step, 5000);
  std::int64_t next = 1, highest = 0;
  double highest_loss = 0;
  for (const HistoryPoint& point : history) {
    EXPECT_EQ(point.first_step, next);
    next = point.last_step + 1;
    highest = std::max(highest, point.peak_total_bytes);
    highest_loss = std::max(highest_loss, point.highest_loss);
  }
  EXPECT_EQ(highest, 99);
  EXPECT_EQ(highest_loss, 7);
}

TEST_F(RunReportTest, FailedRun_TellsWhy) {
  write_example_run(run_);
  write_run_file(run_, "events.jsonl",
                 prepared_line(0, "2026-01-01T00:00:00.000Z") +
                     R"({"time":"2026-01-01T00:01:00.000Z","event":"failed","exit_code":5,)"
                     R"("attempted":"saving","subject":"/x: disk full","remedy":"Make room",)"
                     R"("detail":"","step":8,"saved_step":4})"
                     "\n");
  const RunReport report = read();
  EXPECT_EQ(report.end, RunEnd::failed);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->subject, "/x: disk full");
}

TEST_F(RunReportTest, RunThatGoesOnAfterAFailure_IsUnfinished) {
  write_example_run(run_);
  write_run_file(run_, "events.jsonl",
                 R"({"time":"2026-01-01T00:01:00.000Z","event":"failed","attempted":"a",)"
                 R"("subject":"b","remedy":"c"})"
                 "\n" +
                     prepared_line(4, "2026-01-01T01:00:00.000Z"));
  const RunReport report = read();
  EXPECT_EQ(report.end, RunEnd::unfinished);
  EXPECT_FALSE(report.error);
}

TEST_F(RunReportTest, MissingFiles_AreGapsAndTheRestIsTold) {
  write_example_run(run_);
  for (const char* const name : {"steps.csv", "results.csv", "plans.csv", "events.jsonl"})
    remove(name);
  const RunReport report = read();
  ASSERT_THAT(report.gaps, SizeIs(4));
  EXPECT_EQ(report.gaps[0].file, "events.jsonl");
  EXPECT_THAT(report.gaps[0].problem, HasSubstr("is missing"));
  EXPECT_EQ(report.steps_done, 0);
  EXPECT_TRUE(std::isnan(report.last_loss));
  EXPECT_EQ(report.description.environment.at("torch"), "2.15.0");
}

TEST_F(RunReportTest, DamagedLines_AreCountedAndLeftOut) {
  write_example_run(run_);
  write_run_file(run_, "steps.csv",
                 std::string(kStepsHeader) + "1,1,1,0.001,1,4,1,3,0,1,0,0,100,3000,1\nrubbish\n" +
                     "x,1,1,0.001,1,4,1,3,0,1,0,0,100,3000,1\n3,1,torn");
  write_run_file(run_, "events.jsonl",
                 prepared_line(0, "2026-01-01T00:00:00.000Z") + "{\"time\":\n[]\n");
  const RunReport report = read();
  EXPECT_EQ(report.steps_done, 1);
  ASSERT_THAT(report.gaps, SizeIs(2));
  EXPECT_EQ(report.gaps[0].file, "events.jsonl");
  EXPECT_THAT(report.gaps[0].problem, HasSubstr("2 lines"));
  EXPECT_EQ(report.gaps[1].file, "steps.csv");
  EXPECT_THAT(report.gaps[1].problem, HasSubstr("2 lines"));
}

TEST_F(RunReportTest, FolderWithoutRun_IsRefusedWithFileAndRemedy) {
  std::filesystem::create_directories(run_);
  const auto error = tests::thrown_error([&] { static_cast<void>(read()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::usage);
  EXPECT_THAT(error->what(), HasSubstr("run.json"));
  EXPECT_FALSE(error->parts().remedy.empty());
}

}  // namespace
}  // namespace headroom::run
