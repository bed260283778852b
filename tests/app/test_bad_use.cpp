// Wrong use, settings out of range, memory and disks that do not suffice: the right code, one
// message, nothing half-written.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BadUse : public CliTest {
 protected:
  BadUse() { write_discs(at("data"), 4); }

  void expect_no_run(const std::vector<std::string>& arguments, int exit_code,
                     std::initializer_list<std::string> mentioned) const {
    expect_refusal(run(arguments), exit_code, mentioned);
    EXPECT_FALSE(fs::exists(at("run")));
  }
  [[nodiscard]] std::vector<std::string> training(std::initializer_list<std::string> more) const {
    return small_training(at("data"), at("run"), more);
  }
};

struct WrongWords {
  std::vector<std::string> arguments;
  std::vector<std::string> mentioned;
};

TEST_F(BadUse, WordsThatAreNotUnderstood_AreWrongUseAndNamed) {
  const std::vector<WrongWords> cases = {
      {{"plan", "--measure", "-1"}, {"--measure", "plan --help"}},
      {{"plan", "--tile", "none"}, {"none"}},
      {{"dance", at("data")}, {"dance"}},
      {{"gui", "--theme", "green"}, {"--theme", "green"}},
      {{"fit", "--batches", "1,x"}, {"--batches 1,x"}},
      {{"fit", "--sides", "0"}, {"--sides 0"}},
      {{"fit", "--sides", "99999"}, {"--sides 99999", "16384"}},
      {{"fit", "--heights", "1,"}, {"--heights 1,"}},
      {{"fit", "--reserve", "much"}, {"--reserve much"}},
      {{"plan", "--budget", "0"}, {"--budget"}},
      {{"fit", "--tile", "64"}, {"--tile"}},
      {{"report", at("data")}, {"report"}},
      {{"export"}, {"export"}},
      {{at("nowhere")}, {at("nowhere")}},
      {{"--colour"}, {"--colour"}},
      {{"train", at("data"), "--out", at("run"), "--colour", "red"}, {"--colour", "train --help"}},
      {{"train", at("data")}, {"--out"}},
      {{"train", "--out", at("run")}, {"DATA"}},
      {{"train", at("data"), "--out", at("run"), "--resume", at("run")}, {"--resume"}},
      {{"sample"}, {"OUT"}},
      {{"sample", at("set"), "--kind", "cats"}, {"--kind", "cats"}},
      {{"sample", at("set"), "--count", "many"}, {"many"}},
      {{"sample", at("set"), "--size", "8"}, {"8"}},
      {{"sample", at("set"), "--count", "0"}, {"0"}},
      {{"verify", "--plans", "some"}, {"--plans some"}},
      {{"verify", "--policies", "keep,all"}, {"all"}},
      {{"verify", "--steps", "0"}, {"0"}},
      {{"bench", "--plans", "enc9=full"}, {"enc9"}},
      {{"bench", "--repeat", "0"}, {"--repeat"}},
      {{"predict", at("data")}, {"INPUT"}},
  };
  for (const WrongWords& words : cases) {
    SCOPED_TRACE(testing::PrintToString(words.arguments));
    const auto result = run(words.arguments);
    expect_refusal(result, 2, {});
    for (const std::string& text : words.mentioned) EXPECT_THAT(result.errors, HasSubstr(text));
  }
  EXPECT_FALSE(fs::exists(at("run")));
  EXPECT_FALSE(fs::exists(at("set")));
}

struct WrongSetting {
  std::string flag;
  std::string value;
};

TEST_F(BadUse, SettingOutOfRange_NamesFlagAndValue) {
  const std::vector<WrongSetting> cases = {
      {"--levels", "1"},
      {"--levels", "nine"},
      {"--base-channels", "0"},
      {"--norm", "layer"},
      {"--dropout", "1"},
      {"--dropout", "-0.1"},
      {"--tile", "64x"},
      {"--tile", "0"},
      {"--batch", "0"},
      {"--batch", "1.5"},
      {"--accumulate", "0"},
      {"--steps", "-3"},
      {"--lr", "0"},
      {"--lr", "nan"},
      {"--optimizer", "magic"},
      {"--loss", "none"},
      {"--precision", "8"},
      {"--device", "tpu"},
      {"--threads", "-1"},
      {"--budget", "0"},
      {"--budget", "6 pounds"},
      {"--plan", "enc9=full"},
      {"--plan", "some"},
      {"--ignore", "sky"},
      {"--split", "1.5"},
      {"--normalise", "yes"},
      {"--cache", "-1"},
      {"--save-every", "soon"},
      {"--loader-threads", "-2"},
      {"--layout", "mess"},
      {"--lr", "1,5"},
  };
  for (const WrongSetting& setting : cases) {
    SCOPED_TRACE(setting.flag + " " + setting.value);
    const auto result = run({"train", at("data"), "--out", at("run"), setting.flag, setting.value});
    expect_refusal(result, 2, {setting.value});
    EXPECT_FALSE(fs::exists(at("run")));
  }
}

TEST_F(BadUse, BudgetAboveTheMemoryOfTheMachine_NamesBoth) {
  expect_no_run(training({"--budget", "999999TiB"}), 2, {"budget", "999999", "GiB"});
}

TEST_F(BadUse, ConfigFileThatCannotBeUsed_IsNamedWithTheKey) {
  write_text(at("config.json"), R"({"base_chanels": 4})");
  expect_no_run(training({"--config", at("config.json")}), 2,
                {"config.json", "base_chanels", "base_channels"});
  write_text(at("config.json"), R"({"levels": 99})");
  expect_no_run(training({"--config", at("config.json")}), 2, {"config.json", "levels", "99"});
  write_text(at("config.json"), "{");
  expect_no_run(training({"--config", at("config.json")}), 2, {"config.json"});
  expect_no_run(training({"--config", at("nowhere.json")}), 5, {"nowhere.json"});
}

TEST_F(BadUse, StepsAndEpochsTogether_AreWrongUse) {
  expect_no_run(training({"--epochs", "3"}), 2, {"epochs"});
}

TEST_F(BadUse, NormThatSeesOneValue_IsRefusedBeforeTraining) {
  expect_no_run({"train", at("data"), "--out", at("run"), "--levels", "5", "--base-channels", "4",
                 "--tile", "16", "--batch", "1"},
                2, {"16", "--batch"});
}

TEST_F(BadUse, TileThatNoPlanFits_SaysNeedAndBudget) {
  expect_no_run(training({"--budget", "2MiB", "--base-channels", "16"}), 4, {"2.00 MiB", "tr"});
}

TEST_F(BadUse, OutThatIsNotEmpty_StaysAsItWas) {
  write_text(at("run/notes.txt"), "mine");
  const auto before = folder_contents(at("run"));
  expect_refusal(run(training({})), 2, {"run", "--out"});
  EXPECT_EQ(folder_contents(at("run")), before);
}

TEST_F(BadUse, OutInsideTheData_IsRefused) {
  const auto before = folder_contents(at("data"));
  expect_refusal(run(small_training(at("data"), at("data/run"))), 2, {"data/run"});
  EXPECT_EQ(folder_contents(at("data")), before);
}

TEST_F(BadUse, OutThatIsAFile_IsRefused) {
  write_text(at("run"), "a file");
  expect_refusal(run(training({})), 2, {"run"});
  EXPECT_EQ(read_text(at("run")), "a file");
}

TEST_F(BadUse, FolderThatIsNoRun_IsNamed) {
  fs::create_directories(at("empty"));
  for (const std::string folder : {"empty", "data", "nowhere"}) {
    SCOPED_TRACE(folder);
    const auto before = folder_contents(at(folder));
    expect_refusal(run({"train", "--resume", at(folder)}), 2, {folder});
    expect_refusal(run({"evaluate", at(folder)}), 2, {folder});
    expect_refusal(run({"predict", at(folder), at("data/images"), "--out", at("out")}), 2,
                   {folder});
    EXPECT_EQ(folder_contents(at(folder)), before);
  }
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(BadUse, NoPermission_IsAnIoErrorThatNamesTheFolder) {
  fs::create_directories(at("closed"));
  fs::permissions(at("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  auto bound = options(small_training(at("data"), at("closed/run")));
  bound.obey_permissions = true;
  expect_refusal(tests::run_process(bound), 5, {"closed", "ermission"});
  EXPECT_TRUE(fs::is_empty(at("closed")));
}

/// A file system of 128 KiB in memory, mounted while the object lives.
class TinyDisk {
 public:
  explicit TinyDisk(fs::path place) : place_(std::move(place)) {
    fs::create_directories(place_);
    is_mounted_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=128k") == 0;
  }
  ~TinyDisk() {
    if (is_mounted_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  TinyDisk(const TinyDisk&) = delete;
  TinyDisk& operator=(const TinyDisk&) = delete;
  [[nodiscard]] bool is_mounted() const { return is_mounted_; }

 private:
  fs::path place_;
  bool is_mounted_ = false;
};

TEST_F(BadUse, DiskFull_IsAnIoErrorThatNamesTheFile) {
  const TinyDisk disk(at("disk"));
  if (!disk.is_mounted()) GTEST_SKIP() << "mounting a small disk is not allowed here";
  const auto result = run(small_training(at("data"), at("disk/run"), {"--base-channels", "16"}));
  expect_refusal(result, 5, {"disk/run", "space"});
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(at("disk")))
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("safetensors"))) << "not whole";
}

TEST_F(BadUse, SampleIntoAFolderThatIsNotEmpty_LeavesItAsItWas) {
  const auto before = folder_contents(at("data"));
  expect_refusal(run({"sample", at("data")}), 2, {"data"});
  EXPECT_EQ(folder_contents(at("data")), before);
}

}  // namespace
}  // namespace headroom::app
