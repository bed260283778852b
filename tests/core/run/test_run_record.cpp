#include "core/run/run_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/run/csv.hpp"
#include "tests/core/run/fake_session.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;
using plan::Policy;
using testing::ElementsAre;
using testing::HasSubstr;

class RunRecordTest : public testing::Test {
 protected:
  static std::chrono::system_clock::time_point at_2001() {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000'000));
  }

  [[nodiscard]] std::unique_ptr<RunRecord> fresh() const {
    return std::make_unique<RunRecord>(RunFolder::create(run_, ""), RunDescription{}, at_2001);
  }
  [[nodiscard]] std::unique_ptr<RunRecord> resumed() const {
    return std::make_unique<RunRecord>(RunFolder::open(run_), read_run_description(run_), at_2001);
  }

  static Prepared prepared(std::int64_t first_step = 0, std::int64_t last_validated_step = 0) {
    SessionFacts facts;
    facts.stages = {"enc1", "enc2", "dec1"};
    facts.first_step = first_step;
    facts.last_validated_step = last_validated_step;
    facts.class_names = {"background", "cell, \"round\""};
    facts.dataset.fingerprint = "f1";
    return {std::make_shared<const SessionFacts>(facts)};
  }

  static StepDone step(std::int64_t number) {
    StepReport report;
    report.step = number;
    report.epoch = 2;
    report.loss = 0.5;
    report.learning_rate = 1e-3;
    report.seconds = {0.5, 1, 0.25, 2, 0.0625, 0.125, 0, 0};
    report.peak_bytes = 100;
    report.peak_total_bytes = 1100;
    return {report};
  }

  static ValidationDone validation(std::int64_t number) {
    ValidationReport report;
    report.step = number;
    report.loss = 0.25;
    report.mean_iou = 0.5;
    report.mean_dice = 0.625;
    report.classes = {{"background", 0.5, 0.625}, {"cell, \"round\"", std::nan(""), std::nan("")}};
    report.images = 6;
    report.seconds = 1.5;
    report.is_best = true;
    return {report};
  }

  [[nodiscard]] std::vector<std::string> lines(const char* name) const {
    return csv_lines(run_ / name);
  }
  [[nodiscard]] std::vector<std::string> steps_recorded() const {
    std::vector<std::string> steps;
    for (const std::string& line : lines("steps.csv")) steps.push_back(csv_fields(line).front());
    return steps;
  }

  tests::TemporaryFolder folder_{};
  fs::path run_ = folder_ / "run";
  const plan::Plan keep_{Policy::keep, Policy::keep, Policy::keep};
  const plan::Plan two_full_{Policy::full, Policy::keep, Policy::full};
};

TEST_F(RunRecordTest, Rows_HaveTheColumnsOfTheContract) {
  auto record = fresh();
  record->handle(prepared());
  record->handle(PlanApplied{.step = 1, .plan = keep_, .tiles_at_once = 4});
  record->handle(step(1));
  record->handle(PlanApplied{
      .step = 2, .plan = two_full_, .tiles_at_once = 2, .cause = PlanCause::out_of_memory});
  record->handle(step(2));
  record->handle(validation(2));
  EXPECT_THAT(
      lines("steps.csv"),
      ElementsAre("step,epoch,loss,lr,seconds_data,seconds_forward,seconds_loss,seconds_backward,"
                  "seconds_recompute,seconds_optimizer,seconds_validation,seconds_save,peak_bytes,"
                  "peak_total_bytes,plan_id",
                  "1,2,0.5,0.001,0.5,1,0.25,2,0.0625,0.125,0,0,100,1100,1",
                  "2,2,0.5,0.001,0.5,1,0.25,2,0.0625,0.125,0,0,100,1100,2"));
  EXPECT_THAT(lines("plans.csv"),
              ElementsAre("id,step,plan,tiles_at_once,cause", "1,1,keep,4,asked",
                          "2,2,\"enc1=full,dec1=full\",2,out_of_memory"));
  EXPECT_THAT(
      lines("results.csv"),
      ElementsAre("step,epoch,loss,mean_iou,mean_dice,images,seconds,peak_total_bytes,is_best,"
                  "iou_background,dice_background,\"iou_cell, \"\"round\"\"\",\"dice_cell, "
                  "\"\"round\"\"\"",
                  "2,0,0.25,0.5,0.625,6,1.5,0,1,0.5,0.625,nan,nan"));
}

TEST_F(RunRecordTest, Events_AreOneJsonALineWithTimeAndWithoutSteps) {
  auto record = fresh();
  record->handle(prepared());
  record->handle(step(1));
  record->handle(LogLine{.text = "odd \xFF bytes"});
  record->handle(Finished{.outcome = Outcome::completed, .step = 1});
  const std::vector<std::string> written = lines("events.jsonl");
  ASSERT_EQ(written.size(), 3U);
  std::vector<std::string> names;
  for (const std::string& line : written) {
    const nlohmann::json event = nlohmann::json::parse(line);
    EXPECT_EQ(event.at("time"), "2001-09-09T01:46:40.000Z");
    names.push_back(event.at("event"));
  }
  EXPECT_THAT(names, ElementsAre("prepared", "log_line", "finished"));
}

TEST_F(RunRecordTest, MemoryThatRanOut_IsAnEventWithWhatWasRefusedAndWhatWasDone) {
  auto record = fresh();
  record->handle(prepared());
  record->handle(MemoryRelieved{{.step = 3,
                                 .refused_bytes = 300,
                                 .budget_bytes = 200,
                                 .before = {keep_, 4},
                                 .after = {two_full_, 2}}});
  const auto expected = nlohmann::json::parse(R"({"work": "step", "step": 3,
      "refused_bytes": 300, "budget_bytes": 200,
      "before": {"plan": ["keep", "keep", "keep"], "tiles_at_once": 4},
      "after": {"plan": ["full", "keep", "full"], "tiles_at_once": 2}})");
  nlohmann::json event = nlohmann::json::parse(lines("events.jsonl").at(1));
  event.erase("time");
  EXPECT_EQ(event.at("event"), "out_of_memory");
  event.erase("event");
  EXPECT_EQ(event, expected);
  EXPECT_EQ(nlohmann::json::parse(base::read_file(run_ / "run.json")).at("out_of_memory"),
            nlohmann::json::array({expected}));
}

TEST_F(RunRecordTest, MemoryThatRanOut_IsInTheDescriptionOfAResumedRunAsFarAsItsStepsAre) {
  {
    auto record = fresh();
    record->handle(prepared());
    for (const std::int64_t step : {3, 7})
      record->handle(MemoryRelieved{{.step = step, .before = {keep_, 4}, .after = {two_full_, 2}}});
  }
  resumed()->handle(prepared(5, 0));
  const std::vector<MemoryRelief> reliefs = read_run_description(run_).memory_reliefs;
  ASSERT_EQ(reliefs.size(), 1U);
  EXPECT_EQ(reliefs[0].step, 3);
  EXPECT_EQ(reliefs[0].before, (plan::StepForm{keep_, 4}));
  EXPECT_EQ(reliefs[0].after, (plan::StepForm{two_full_, 2}));
}

TEST_F(RunRecordTest, FewerTilesWithTheSamePlan_AreARowOfTheirOwn) {
  auto record = fresh();
  record->handle(prepared());
  record->handle(PlanApplied{.step = 1, .plan = keep_, .tiles_at_once = 4});
  record->handle(PlanApplied{.step = 5, .plan = keep_, .tiles_at_once = 2});
  record->handle(PlanApplied{.step = 6, .plan = keep_, .tiles_at_once = 2});
  EXPECT_EQ(lines("plans.csv").size(), 3U);
}

TEST_F(RunRecordTest, Prepared_WritesTheFingerprint) {
  fresh()->handle(prepared());
  EXPECT_EQ(read_run_description(run_).data_fingerprint, "f1");
}

TEST_F(RunRecordTest, FailureBeforePrepared_LeavesNoFolder) {
  fresh()->handle(Failed{.kind = base::ErrorKind::unusable_data});
  EXPECT_FALSE(fs::exists(run_));
}

TEST_F(RunRecordTest, Resumed_HasEveryStepOnceAndGoesOnWithThePlanIds) {
  {
    auto record = fresh();
    record->handle(prepared());
    record->handle(PlanApplied{.step = 1, .plan = two_full_});
    for (std::int64_t i = 1; i <= 5; ++i) record->handle(step(i));
    record->handle(validation(5));
    record->handle(PlanApplied{.step = 6, .plan = keep_});
    for (std::int64_t i = 6; i <= 8; ++i) record->handle(step(i));
    record->handle(validation(8));
  }
  std::ofstream(run_ / "steps.csv", std::ios::app) << "9,2,0.5";  // torn by a kill
  auto record = resumed();
  record->handle(prepared(5, 5));
  EXPECT_EQ(lines("results.csv").size(), 2U);
  record->handle(PlanApplied{.step = 6, .plan = two_full_});
  for (std::int64_t i = 6; i <= 7; ++i) record->handle(step(i));
  record->handle(PlanApplied{.step = 8, .plan = keep_});
  record->handle(step(8));
  EXPECT_THAT(steps_recorded(), ElementsAre("step", "1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_THAT(lines("plans.csv"),
              ElementsAre("id,step,plan,tiles_at_once,cause", "1,1,\"enc1=full,dec1=full\",0,asked",
                          "2,8,keep,0,asked"));
  EXPECT_EQ(csv_fields(lines("steps.csv").at(7)).back(), "1");
  EXPECT_EQ(csv_fields(lines("steps.csv").at(8)).back(), "2");
}

TEST_F(RunRecordTest, ResumedBeforeADueValidation_DropsItsRow) {
  {
    auto record = fresh();
    record->handle(prepared());
    for (std::int64_t i = 1; i <= 5; ++i) record->handle(step(i));
    record->handle(validation(5));
  }
  resumed()->handle(prepared(5, 0));
  EXPECT_EQ(lines("results.csv").size(), 1U);
}

TEST_F(RunRecordTest, ResumedWithOtherData_IsRefused) {
  fresh()->handle(prepared());
  SessionFacts facts = *prepared().facts;
  facts.dataset.fingerprint = "f2";
  const auto error = tests::thrown_error(
      [&] { resumed()->handle(Prepared{std::make_shared<const SessionFacts>(facts)}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::unusable_data);
}

TEST_F(RunRecordTest, OtherColumns_AreRefused) {
  fresh()->handle(prepared());
  std::ofstream(run_ / "steps.csv", std::ios::trunc) << "time,loss\n";
  const auto error = tests::thrown_error([&] { resumed()->handle(prepared()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::usage);
  EXPECT_THAT(error->what(), HasSubstr("steps.csv"));
}

TEST_F(RunRecordTest, DiskFull_ThrowsIoNamingTheFileAndKeepsWholeRows) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    auto record = fresh();
    record->handle(prepared());
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto error = tests::thrown_error([&] {
      for (std::int64_t i = 1; i <= 1000; ++i) record->handle(step(i));
    });
    const bool right = error && error->kind() == base::ErrorKind::io &&
                       error->parts().subject.find("steps.csv") != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const std::string& line : lines("steps.csv")) EXPECT_EQ(csv_fields(line).size(), 15U);
}

TEST_F(RunRecordTest, UnderADecimalCommaLocale_RowsAreTheSame) {
  const tests::CommaLocale commas;
  auto record = fresh();
  record->handle(prepared());
  record->handle(PlanApplied{.step = 1234567, .plan = keep_});
  record->handle(step(1234567));
  EXPECT_EQ(lines("steps.csv").at(1),
            "1234567,2,0.5,0.001,0.5,1,0.25,2,0.0625,0.125,0,0,100,1100,1");
}

TEST_F(RunRecordTest, WholeRunThroughTheController_IsRecorded) {
  FakeWorld world;
  ControllerOptions options;
  options.make_session = [&](const RunRequest& request, const SessionLog&) {
    RunParts parts;
    parts.session = std::make_unique<FakeSession>(world);
    parts.sinks.push_back(std::make_unique<RunRecord>(
        RunFolder::create(request.run_folder, request.data_folder), RunDescription{}, at_2001));
    return parts;
  };
  RunController controller(std::move(options));
  controller.post(Configure{RunRequest{.run_folder = run_}});
  controller.post(StartRun{});
  EXPECT_EQ(controller.wait_until_done()->outcome, Outcome::completed);
  EXPECT_EQ(lines("steps.csv").size(), 11U);
  EXPECT_EQ(lines("results.csv").size(), 3U);
  EXPECT_EQ(lines("plans.csv").size(), 2U);
  // The lock is free again.
  EXPECT_NO_THROW(static_cast<void>(RunFolder::open(run_)));

  controller.post(StartRun{});
  EXPECT_EQ(controller.wait_until_done()->error->kind, base::ErrorKind::usage);
  EXPECT_EQ(lines("steps.csv").size(), 11U);
}

TEST(Csv, AnyField_ReadsBackTheSame) {
  const std::vector<std::string> fields = {"", "plain", "a,b", "say \"x\"", "\"", "größe"};
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + csv_field(field);
  EXPECT_EQ(csv_fields("," + line),
            (std::vector<std::string>{"", "plain", "a,b", "say \"x\"", "\"", "größe"}));
}

}  // namespace
}  // namespace headroom::run
