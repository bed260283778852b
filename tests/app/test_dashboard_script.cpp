// Scripts of the dashboard without a window: the same commands as a person's, and what they write.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class DashboardScript : public CliTest {
 protected:
  DashboardScript() { write_discs(at("data"), 6); }

  [[nodiscard]] tests::ProcessResult play(const std::string& script) const {
    write_text(at("script.txt"), script);
    return run({"--script", at("script.txt"), "--headless"});
  }
  /// Opens the data with the settings of a run of seconds.
  [[nodiscard]] std::string opening() const {
    return "open " + at("data") +
           "\nset levels 3\nset base_channels 4\nset tile 64\nset batch 2\nset threads 1\n"
           "set steps 30\nset validate_every 10\nset seed 7\n";
  }
  [[nodiscard]] std::string run_file(const std::string& name) const {
    return read_text(at("home/runs/data-001/" + name));
  }
};

TEST_F(DashboardScript, TogglesPauseAndResume_EndAsTheTrainingWithoutThem) {
  const auto played = play(opening() +
                           "start\nwait step 3\nplan enc1=full\nwait applied\npause\n"
                           "wait state paused\nplan full\nresume\nwait state training\n"
                           "wait applied\nwait state finished\n");
  ASSERT_EQ(played.exit_code, 0) << played.errors;
  const auto trained =
      run({"train",           at("data"), "--out",   at("plain"), "--levels",         "3",
           "--base-channels", "4",        "--tile",  "64",        "--batch",          "2",
           "--threads",       "1",        "--steps", "30",        "--validate-every", "10",
           "--seed",          "7"});
  ASSERT_EQ(trained.exit_code, 0) << trained.errors;
  EXPECT_EQ(run_file("model_last.safetensors"), read_text(at("plain/model_last.safetensors")));
  // The plan that the run began with, and the two that were asked for.
  std::istringstream plans(run_file("plans.csv"));
  int rows = 0;
  for (std::string line; std::getline(plans, line);) ++rows;
  EXPECT_EQ(rows, 4);
}

TEST_F(DashboardScript, Stop_LeavesARunThatTheNextScriptContinues) {
  const auto stopped = play(opening() + "start\nwait step 5\nstop\nwait state finished\n");
  ASSERT_EQ(stopped.exit_code, 0) << stopped.errors;
  EXPECT_THAT(stopped.errors, HasSubstr("Continue with: headroom train --resume"));
  const auto continued = play("open " + at("home/runs/data-001") + "\nwait state finished\n");
  ASSERT_EQ(continued.exit_code, 0) << continued.errors;
  const std::string steps = run_file("steps.csv");
  EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), 31);
}

TEST_F(DashboardScript, Calibration_IsWaitedForAndKept) {
  const auto played = play("open " + at("data") +
                           "\nset levels 2\nset base_channels 4\nset threads 1\n"
                           "calibrate\nwait calibrated\n");
  ASSERT_EQ(played.exit_code, 0) << played.errors;
  EXPECT_FALSE(std::filesystem::is_empty(at("home/calibrations")));
}

TEST_F(DashboardScript, CalibrationBeforeAFolder_IsRefused) {
  expect_refusal(play("calibrate\n"), 2, {"script.txt:1", "no folder is open", "open FOLDER"});
}

TEST_F(DashboardScript, CommandThatTheStateForbids_IsRefusedWithItsLineAndReason) {
  const auto result = play(opening() + "pause\nwait state finished\n");
  expect_refusal(result, 2, {"script.txt:10", "pause", "The run has not started"});
}

TEST_F(DashboardScript, UnknownVerb_NamesTheVerbsThereAre) {
  expect_refusal(play("open x\nsing\n"), 2, {"script.txt:2", "no verb sing", "sample, set, start"});
}

TEST_F(DashboardScript, FolderThatIsNotThere_EndsWithWhatTheScanSays) {
  expect_refusal(play("open " + at("nowhere") + "\nstart\n"), 2, {"script.txt:1", "nowhere"});
}

TEST_F(DashboardScript, BadSetting_IsRefused) {
  expect_refusal(play("open " + at("data") + "\nset levels 99\n"), 2, {"levels", "99"});
  expect_refusal(play("open " + at("data") + "\nset colour red\n"), 2, {"no setting colour"});
}

TEST_F(DashboardScript, RunThatFails_GivesItsErrorAndExitCode) {
  const auto result =
      play(opening() + "set budget 1MiB\nset plan keep\nset on_oom stop\nstart\nwait step 5\n");
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("budget"));
}

TEST_F(DashboardScript, HeadlessWithoutScript_IsRefused) {
  expect_refusal(run({"gui", "--headless"}), 2, {"--headless without --script"});
}

TEST_F(DashboardScript, WorkspaceWithoutAWindow_IsRefused) {
  expect_refusal(play("open " + at("data") + "\nworkspace data\n"), 2,
                 {"script.txt:2", "no window", "without --headless"});
}

TEST_F(DashboardScript, SampleOfTheData_IsShownInAPicture) {
  const auto show = [&](const std::string& line) {
    write_text(at("script.txt"), "open " + at("data") + "\n" + line + "\n");
    return run({"--script", at("script.txt"), "--screenshot", at("data.png"), "--width", "1280",
                "--height", "720"});
  };
  expect_refusal(show("workspace results"), 2, {"script.txt:2", "no workspace results"});
  expect_refusal(show("show nowhere.png"), 2, {"script.txt:2", "no sample nowhere.png"});
  const auto folder = run_json({"check", at("data")});
  ASSERT_EQ(folder["samples"], 6);
  const auto result = show("workspace train\npicture " + at("train.png") + "\nworkspace data");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(read_text(at("data.png")), read_text(at("train.png")));
  EXPECT_GT(read_text(at("data.png")).size(), 8000U);
}

TEST_F(DashboardScript, Screenshot_NeedsNoDisplayAndShowsSomething) {
  const auto result = run({"--screenshot", at("picture.png"), "--width", "640", "--height", "400"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto read = run_json({"check", at("picture.png")});
  EXPECT_EQ(read["channels"], 3);
  // One colour alone would be far smaller.
  EXPECT_GT(read_text(at("picture.png")).size(), 8000U);
}

}  // namespace
}  // namespace headroom::app
