// Whole trainings through the program: what they write, and that nothing that ends them early loses
// or changes anything.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::ChildProcess;

constexpr const char* kBest = "run/model_best.safetensors";

class Training : public CliTest {
 protected:
  Training() { write_discs(at("data"), 6); }

  /// Long enough to be ended in the middle: a line of validation comes every tenth step.
  [[nodiscard]] std::vector<std::string> long_training(const std::string& out) const {
    return {
        "train",  at("data"), "--out",     at(out),   "--levels", "3",         "--base-channels",
        "4",      "--tile",   "64",        "--batch", "2",        "--threads", "1",
        "--seed", "7",        "--dropout", "0.1",     "--steps",  "120",       "--validate-every",
        "10"};
  }
  /// Starts and waits until training is under way.
  [[nodiscard]] std::unique_ptr<ChildProcess> start(
      const std::vector<std::string>& arguments) const {
    auto process = std::make_unique<ChildProcess>(options(arguments));
    EXPECT_TRUE(process->wait_for_errors(": mean Dice "));
    return process;
  }
  void expect_same_end(const std::string& run, const std::string& reference) const {
    EXPECT_EQ(read_text(at(run + "/model_last.safetensors")),
              read_text(at(reference + "/model_last.safetensors")));
    EXPECT_EQ(read_text(at(run + "/model_best.safetensors")),
              read_text(at(reference + "/model_best.safetensors")));
    EXPECT_EQ(first_columns(run, 3), first_columns(reference, 3));
  }
  /// step, epoch, loss of steps.csv.
  [[nodiscard]] std::vector<std::string> first_columns(const std::string& run, int count) const {
    std::istringstream lines(read_text(at(run + "/steps.csv")));
    std::vector<std::string> rows;
    for (std::string line; std::getline(lines, line);) {
      std::size_t end = 0;
      for (int i = 0; i < count; ++i) end = line.find(',', end) + 1;
      rows.push_back(line.substr(0, end));
    }
    return rows;
  }
};

TEST_F(Training, SmallData_WritesTheRunFolderAsPromised) {
  const auto document = run_json(small_training(at("data"), at("run")));
  EXPECT_EQ(document["outcome"], "completed");
  EXPECT_EQ(document["steps"], 6);
  EXPECT_GT(document["peak_bytes"], 0);
  for (const char* name :
       {"run.json", "results.csv", "steps.csv", "plans.csv", "events.jsonl",
        "model_last.safetensors", "model_best.safetensors", "state_last", "previews"})
    EXPECT_TRUE(fs::exists(folder() / "run" / name)) << name;
  EXPECT_FALSE(fs::is_empty(at("run/previews")));
  EXPECT_EQ(first_columns("run", 1),
            (std::vector<std::string>{"step,", "1,", "2,", "3,", "4,", "5,", "6,"}));
  const auto record = nlohmann::json::parse(read_text(at("run/run.json")));
  EXPECT_EQ(record["settings"]["base_channels"], 4);
  for (const char* name : {"torch", "gdal", "cpu"})
    EXPECT_FALSE(record["environment"][name].get<std::string>().empty()) << name;
}

TEST_F(Training, OutputOfAPerson_SaysWhatWasUnderstoodAndWhereThingsAre) {
  const auto result = run(small_training(at("data"), at("run")));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  for (const char* text :
       {"6 samples", "64x64", "3 channels", "validate on", "plan keep", "budget"})
    EXPECT_THAT(result.errors, HasSubstr(text));
  for (const std::string& text :
       {std::string("Dice"), std::string("peak"), at(kBest), at("run/steps.csv")})
    EXPECT_THAT(result.output, HasSubstr(text));
}

TEST_F(Training, SameSeedTwice_GivesTheSameModel) {
  ASSERT_EQ(run(small_training(at("data"), at("run"))).exit_code, 0);
  ASSERT_EQ(run(small_training(at("data"), at("other"))).exit_code, 0);
  expect_same_end("run", "other");
}

TEST_F(Training, PlanFull_GivesTheSameModelAsKeep) {
  ASSERT_EQ(run(small_training(at("data"), at("run"), {"--plan", "full"})).exit_code, 0);
  ASSERT_EQ(run(small_training(at("data"), at("other"), {"--plan", "keep"})).exit_code, 0);
  expect_same_end("run", "other");
}

TEST_F(Training, BudgetThatKeepDoesNotFit_GoesOnUnderAnotherPlanWithTheSameModel) {
  const auto keep = run_json(small_training(at("data"), at("other"), {"--plan", "keep"}));
  const auto light = run_json(small_training(at("data"), at("light"), {"--plan", "light"}));
  EXPECT_EQ(keep["out_of_memory"], nlohmann::json::array());
  const std::int64_t budget = (keep["peak_total_bytes"].get<std::int64_t>() +
                               light["peak_total_bytes"].get<std::int64_t>()) /
                              2;
  const auto arguments = small_training(
      at("data"), at("run"), {"--plan", "keep", "--budget", std::to_string(budget), "--json"});
  const auto result = run(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("Out of memory at step 1"));
  const auto told = nlohmann::json::parse(result.output)["out_of_memory"];
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["after"]["plan"], (nlohmann::json{"light", "light", "light"}));
  EXPECT_EQ(told[0]["budget_bytes"], budget);
  EXPECT_THAT(read_text(at("run/plans.csv")), HasSubstr("\n1,1,light,2,out_of_memory\n"));
  EXPECT_THAT(read_text(at("run/events.jsonl")), HasSubstr("\"event\":\"out_of_memory\""));
  expect_same_end("run", "other");
}

TEST_F(Training, BudgetThatKeepDoesNotFitAndAnswerStop_EndsWithTheWayOut) {
  const auto keep = run_json(small_training(at("data"), at("other"), {"--plan", "keep"}));
  const std::int64_t budget = keep["peak_total_bytes"].get<std::int64_t>() - 1;
  expect_refusal(run(small_training(
                     at("data"), at("run"),
                     {"--plan", "keep", "--budget", std::to_string(budget), "--on-oom", "stop"})),
                 4, {"step 1", "the budget is", "--plan full", "--on-oom adapt"});
}

TEST_F(Training, BudgetThatNothingFits_EndsWithWhatIsNeeded) {
  const auto full = run_json(small_training(at("data"), at("other"), {"--plan", "full"}));
  const std::int64_t weights =
      full["peak_total_bytes"].get<std::int64_t>() - full["peak_bytes"].get<std::int64_t>();
  const std::int64_t budget = weights + full["peak_bytes"].get<std::int64_t>() / 8;
  const auto under_budget = [&](const char* plan) {
    return run(small_training(at("data"), at("run"),
                              {"--plan", plan, "--budget", std::to_string(budget)}));
  };
  expect_refusal(under_budget("keep"), 4,
                 {"step 1", "in parts of 1", "the budget is", "--budget above", "--tile"});
  EXPECT_FALSE(fs::exists(at("run")));
  expect_refusal(under_budget("auto"), 4,
                 {"no plan fits tile 64x64, batch 2", "the least needs", "the budget is",
                  "a larger --budget"});
  EXPECT_FALSE(fs::exists(at("run")));
}

TEST_F(Training, ConfigFile_IsReadAndFlagsWin) {
  write_text(at("config.json"), R"({"steps": 2, "base_channels": 8, "levels": 2, "tile": 64})");
  const auto result = run({"train", at("data"), "--out", at("run"), "--config", at("config.json"),
                           "--steps", "3", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto settings = nlohmann::json::parse(read_text(at("run/run.json")))["settings"];
  EXPECT_EQ(settings["steps"], 3);
  EXPECT_EQ(settings["base_channels"], 8);
}

class EndedEarly : public Training, public testing::WithParamInterface<int> {};

TEST_P(EndedEarly, SignalThenResume_EndsBitIdenticalToAnUninterruptedRun) {
  ASSERT_EQ(run(long_training("reference")).exit_code, 0);
  const auto process = start(long_training("run"));
  process->send_signal(GetParam());
  const auto stopped = process->wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.errors;
  EXPECT_THAT(stopped.errors, HasSubstr("--resume"));
  ASSERT_LT(first_columns("run", 1).size(), 121U) << "it was over before the signal came";
  EXPECT_EQ(run({"train", "--resume", at("run")}).exit_code, 0);
  expect_same_end("run", "reference");
}

INSTANTIATE_TEST_SUITE_P(Signals, EndedEarly, testing::Values(SIGINT, SIGTERM));

TEST_F(Training, KilledAfterAResume_ContinuesFromTheLastSavedState) {
  ASSERT_EQ(run(long_training("reference")).exit_code, 0);
  auto process = start(long_training("run"));
  process->send_signal(SIGINT);
  ASSERT_EQ(process->wait().exit_code, 130);
  process = start({"train", "--resume", at("run")});
  process->send_signal(SIGKILL);
  ASSERT_EQ(process->wait().signal, SIGKILL);
  EXPECT_EQ(run({"train", "--resume", at("run")}).exit_code, 0);
  expect_same_end("run", "reference");
}

TEST_F(Training, TwoSignals_EndAtOnceWithARunThatCanBeContinued) {
  auto process = start(long_training("run"));
  process->send_signal(SIGINT);
  ASSERT_EQ(process->wait().exit_code, 130);
  process = start({"train", "--resume", at("run")});
  process->send_signal(SIGINT);
  process->send_signal(SIGTERM);
  EXPECT_EQ(process->wait().exit_code, 130);
  EXPECT_EQ(run({"train", "--resume", at("run")}).exit_code, 0);
}

TEST_F(Training, SecondProcessOnTheRun_IsRefused) {
  const auto process = start(long_training("run"));
  expect_refusal(run({"train", "--resume", at("run")}), 2, {"run", "another process"});
  expect_refusal(run(long_training("run")), 2, {"run"});
  process->send_signal(SIGINT);
  EXPECT_EQ(process->wait().exit_code, 130);
}

TEST_F(Training, RunOfANewerVersion_IsRefusedAndStaysAsItIs) {
  ASSERT_EQ(run(small_training(at("data"), at("run"))).exit_code, 0);
  auto record = nlohmann::json::parse(read_text(at("run/run.json")));
  record["format_version"] = 999;
  write_text(at("run/run.json"), record.dump());
  const auto before = folder_contents(at("run"));
  expect_refusal(run({"train", "--resume", at("run")}), 2, {"newer", "999"});
  expect_refusal(run({"evaluate", at("run")}), 2, {"newer", "999"});
  expect_refusal(run({"predict", at("run"), at("data/images"), "--out", at("out")}), 2,
                 {"newer", "999"});
  EXPECT_EQ(folder_contents(at("run")), before);
}

TEST_F(Training, ResumeWithASettingOfTheRun_IsRefusedAndNamesIt) {
  ASSERT_EQ(run(small_training(at("data"), at("run"))).exit_code, 0);
  const auto before = folder_contents(at("run"));
  expect_refusal(run({"train", "--resume", at("run"), "--lr", "0.1"}), 2, {"--lr", "--steps"});
  write_text(at("config.json"), "{}");
  expect_refusal(run({"train", "--resume", at("run"), "--config", at("config.json")}), 2,
                 {"--config"});
  EXPECT_EQ(folder_contents(at("run")), before);
}

TEST_F(Training, ResumeWithMoreSteps_GoesOn) {
  ASSERT_EQ(run(small_training(at("data"), at("run"))).exit_code, 0);
  const auto document = run_json({"train", "--resume", at("run"), "--steps", "9"});
  EXPECT_EQ(document["steps"], 9);
  EXPECT_EQ(first_columns("run", 1).size(), 10U);
}

TEST_F(Training, ResumeAfterTheDataChanged_IsRefused) {
  ASSERT_EQ(run(small_training(at("data"), at("run"))).exit_code, 0);
  write_flat_mask(at("data/masks/100.png"), 64, 64, 1);
  const auto result = run({"train", "--resume", at("run"), "--steps", "9"});
  EXPECT_THAT(result.exit_code, testing::AnyOf(2, 3));
  EXPECT_EQ(first_columns("run", 1).size(), 7U);
}

TEST_F(Training, RawFolderOfASample_LearnsIt) {
  ASSERT_EQ(run({"sample", at("set"), "--kind", "cells", "--count", "8", "--size", "64"}).exit_code,
            0);
  const auto checked = run_json({"check", at("set")});
  EXPECT_EQ(checked["samples"], 8);
  EXPECT_EQ(checked["classes"].size(), 2U);
  const auto trained = run_json(
      {"train",    at("set"), "--out",           at("run"), "--mapping", at("set/classes.json"),
       "--levels", "3",       "--base-channels", "8",       "--tile",    "64",
       "--batch",  "4",       "--steps",         "60",      "--lr",      "0.01",
       "--seed",   "1"});
  EXPECT_GT(trained["best"]["mean_dice"], 0.7);
}

}  // namespace
}  // namespace headroom::app
