#include "core/run/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using testing::HasSubstr;

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(data_); }

  void expect_usage_error(const std::function<void()>& call, const std::string& named) const {
    const auto error = tests::thrown_error(call);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::usage);
    EXPECT_THAT(error->what(), HasSubstr(named));
    EXPECT_FALSE(error->parts().remedy.empty());
  }

  [[nodiscard]] RunFolder create() const { return RunFolder::create(run_, data_); }

  /// A run that was written and let go of.
  void make_run() const { create().write_description({}); }

  tests::TemporaryFolder folder_{};
  fs::path data_ = folder_ / "data";
  fs::path run_ = folder_ / "runs" / "größe 1";
};

TEST_F(RunFolderTest, NewWithParents_IsMadeAndDescribed) {
  RunDescription written{.data_folder = data_,
                         .environment = {{"torch", "2.15.0"}},
                         .data_fingerprint = "abc",
                         .build_commit = "1234567"};
  written.settings.model.base_channels = 16;
  written.settings.train.learning_rate = 0.1;
  create().write_description(written);

  const RunDescription read = read_run_description(run_);
  EXPECT_EQ(read.data_folder, data_);
  EXPECT_EQ(read.environment, written.environment);
  EXPECT_EQ(read.data_fingerprint, "abc");
  EXPECT_EQ(read.build_commit, "1234567");
  EXPECT_EQ(base::settings_to_json(read.settings), base::settings_to_json(written.settings));
}

TEST_F(RunFolderTest, DataPathOfAnyBytes_ComesBackExactly) {
  const fs::path odd = "/data/\xFF\x01 \"größe\"\n";
  create().write_description({.data_folder = odd});
  EXPECT_EQ(read_run_description(run_).data_folder, odd);
}

TEST_F(RunFolderTest, EmptyFolder_IsTaken) {
  fs::create_directories(run_);
  make_run();
  EXPECT_TRUE(fs::exists(run_ / "run.json"));
}

TEST_F(RunFolderTest, TrailingSlash_IsTheSameFolder) {
  RunFolder::create(run_.native() + "/", data_).write_description({});
  EXPECT_TRUE(fs::exists(run_ / "run.json"));
}

TEST_F(RunFolderTest, NothingWritten_LeavesNothingBehind) {
  static_cast<void>(create());
  EXPECT_FALSE(fs::exists(run_));
}

TEST_F(RunFolderTest, NothingWrittenIntoAnEmptyFolder_LeavesItEmpty) {
  fs::create_directories(run_);
  static_cast<void>(create());
  EXPECT_TRUE(fs::is_empty(run_));
}

TEST_F(RunFolderTest, LeftoverLockOfAKilledStart_CountsAsEmpty) {
  fs::create_directories(run_);
  write(run_ / ".lock", "");
  EXPECT_NO_THROW(make_run());
}

TEST_F(RunFolderTest, NotEmpty_IsRefusedAndLeftAlone) {
  fs::create_directories(run_);
  write(run_ / "thesis.txt", "x");
  expect_usage_error([&] { static_cast<void>(create()); }, "is not empty");
  EXPECT_FALSE(fs::exists(run_ / ".lock"));
}

TEST_F(RunFolderTest, AFile_IsRefused) {
  write(folder_ / "file", "x");
  expect_usage_error([&] { static_cast<void>(RunFolder::create(folder_ / "file", data_)); },
                     "is a file");
}

TEST_F(RunFolderTest, BelowAFile_IsAnIoError) {
  write(folder_ / "file", "x");
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(RunFolder::create(folder_ / "file" / "run", data_)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
}

TEST_F(RunFolderTest, InsideTheData_IsRefusedAndNotMade) {
  for (const fs::path& inside :
       {data_, data_ / "run", data_ / "a" / "b", data_ / ".." / "data" / "run"}) {
    expect_usage_error([&] { static_cast<void>(RunFolder::create(inside, data_)); },
                       "inside the data folder");
  }
  fs::create_directory_symlink(data_, folder_ / "link");
  expect_usage_error([&] { static_cast<void>(RunFolder::create(folder_ / "link" / "run", data_)); },
                     "inside the data folder");
  EXPECT_TRUE(fs::is_empty(data_));
}

TEST_F(RunFolderTest, NameThatBeginsLikeTheData_IsNotInside) {
  EXPECT_NO_THROW(static_cast<void>(RunFolder::create(folder_ / "data run", data_)));
}

TEST_F(RunFolderTest, SecondWriter_IsRefusedWhileTheFirstWorks) {
  make_run();
  {
    const RunFolder first = RunFolder::open(run_);
    expect_usage_error([&] { static_cast<void>(RunFolder::open(run_)); }, "another process");
  }
  EXPECT_NO_THROW(static_cast<void>(RunFolder::open(run_)));
}

TEST_F(RunFolderTest, SecondCreator_IsRefusedWhileTheFirstPrepares) {
  const RunFolder first = create();
  expect_usage_error([&] { static_cast<void>(create()); }, "another process");
}

TEST_F(RunFolderTest, Opened_KeepsTheRunAndClearsPartialFiles) {
  make_run();
  write(run_ / ".model.partial-1-0", "half");
  static_cast<void>(RunFolder::open(run_));
  EXPECT_TRUE(fs::exists(run_ / "run.json"));
  EXPECT_FALSE(fs::exists(run_ / ".model.partial-1-0"));
}

TEST_F(RunFolderTest, NoRun_IsRefusedAndNothingIsPutThere) {
  expect_usage_error([&] { static_cast<void>(RunFolder::open(data_)); }, "is no run");
  expect_usage_error([&] { static_cast<void>(RunFolder::open(folder_ / "missing")); }, "is no run");
  EXPECT_TRUE(fs::is_empty(data_));
}

TEST_F(RunFolderTest, NewerVersion_IsRefused) {
  fs::create_directories(run_);
  write(run_ / "run.json", R"({"format": "headroom-run", "format_version": 99, "new": {}})");
  expect_usage_error([&] { static_cast<void>(RunFolder::open(run_)); }, "newer version");
}

TEST_F(RunFolderTest, BrokenDescriptions_AreRefused) {
  fs::create_directories(run_);
  for (const char* const text :
       {"", "{", "[]", "{}", R"({"format": "other", "format_version": 1})",
        R"({"format": "headroom-run", "format_version": "1"})",
        R"({"format": "headroom-run", "format_version": 1})",
        R"({"format": "headroom-run", "format_version": 1, "settings": {"levels": 99}})"}) {
    write(run_ / "run.json", text);
    expect_usage_error([&] { static_cast<void>(read_run_description(run_)); }, "");
  }
}

}  // namespace
}  // namespace headroom::run
