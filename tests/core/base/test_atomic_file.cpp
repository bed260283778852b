#include "core/base/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::base {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::int64_t entries_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// Runs `action` in a child process whose files may have at most `most_bytes`; true when it ended
/// with 0.
template <typename Action>
bool succeeds_with_file_limit(rlim_t most_bytes, Action action) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ,
             SIG_IGN);  // the write then fails with EFBIG, as it does with ENOSPC on a full disk
    const rlimit limit{most_bytes, most_bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(action() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(WriteFileAtomically, NewAndExisting_HoldsTheLastTextAlone) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder / "größe und\xFF more.json";
  write_file_atomically(file, "first, which is longer");
  write_file_atomically(file, "second");
  EXPECT_EQ(read_file(file), "second");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(WriteFileAtomically, NewFile_HasTheUsualPermissions) {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "ours", "x");
  std::ofstream(folder / "usual") << "x";
  EXPECT_EQ(fs::status(folder / "ours").permissions(), fs::status(folder / "usual").permissions());
}

TEST(WriteFileAtomically, LongestName_Works) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder / std::string(255, 'a');
  write_file_atomically(file, "x");
  EXPECT_EQ(read_file(file), "x");
}

TEST(AtomicFile, WithoutCommit_LeavesTheOldFileAndNothingElse) {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, KilledBeforeCommit_LeavesTheOldFileWhole) {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "a");
    file.write("new");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(folder / "a"), "old");

  EXPECT_EQ(entries_in(folder.path()), 2);
  remove_partial_files(folder.path());
  EXPECT_EQ(entries_in(folder.path()), 1);
  EXPECT_EQ(read_file(folder / "a"), "old");
}

TEST(AtomicFile, NoRoom_ThrowsIoAndLeavesTheOldFileAndNothingElse) {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  EXPECT_TRUE(succeeds_with_file_limit(1000, [&] {
    const auto error =
        tests::thrown_error([&] { write_file_atomically(folder / "a", std::string(5000, 'x')); });
    return error && error->kind() == ErrorKind::io &&
           error->parts().subject.find("File too large") != std::string::npos;
  }));
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, MissingFolder_ThrowsIoNamingTheFile) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder / "missing" / "a";
  const auto error = tests::thrown_error([&] { write_file_atomically(file, "x"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
  EXPECT_THAT(error->parts().subject, HasSubstr(file.native()));
}

TEST(AtomicFile, UnwritableFolder_ThrowsIo) {
  const tests::TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                     fs::perms::others_read | fs::perms::others_exec);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(2);  // root may write everywhere
    const auto error = tests::thrown_error([&] { write_file_atomically(folder / "a", "x"); });
    const bool right = error && error->kind() == ErrorKind::io &&
                       error->parts().subject.find("Permission denied") != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  fs::permissions(folder.path(), fs::perms::owner_all);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(AtomicFile, TargetIsAFolder_ThrowsIo) {
  const tests::TemporaryFolder folder;
  fs::create_directory(folder / "a");
  const auto error = tests::thrown_error([&] { write_file_atomically(folder / "a", "x"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(ReadFile, Missing_ThrowsIoNamingTheFile) {
  const auto error = tests::thrown_error([] { static_cast<void>(read_file("/no/such/file")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
  EXPECT_THAT(error->parts().subject, HasSubstr("/no/such/file"));
}

TEST(LineFile, OpenedAgain_Appends) {
  const tests::TemporaryFolder folder;
  LineFile(folder / "a").append("one");
  LineFile file(folder / "a");
  file.append("two");
  file.sync();
  EXPECT_EQ(read_file(folder / "a"), "one\ntwo\n");
  EXPECT_EQ(file.size_bytes(), 8);
}

TEST(LineFile, TornLastLine_IsCutOff) {
  const tests::TemporaryFolder folder;
  for (const std::string& torn : {std::string("thr"), std::string(10'000, 'x')}) {
    std::ofstream(folder / "a", std::ios::trunc) << "one\ntwo\n" << torn;
    LineFile(folder / "a").append("four");
    EXPECT_EQ(read_file(folder / "a"), "one\ntwo\nfour\n");
  }
}

TEST(LineFile, OnlyATornLine_BecomesEmpty) {
  const tests::TemporaryFolder folder;
  std::ofstream(folder / "a") << "half";
  EXPECT_EQ(LineFile(folder / "a").size_bytes(), 0);
  EXPECT_EQ(read_file(folder / "a"), "");
}

TEST(LineFile, KilledAfterAppend_KeepsTheLine) {
  const tests::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    LineFile file(folder / "a");
    file.append("one");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(read_file(folder / "a"), "one\n");
}

TEST(LineFile, NoRoom_ThrowsIoAndKeepsWholeLines) {
  const tests::TemporaryFolder folder;
  EXPECT_TRUE(succeeds_with_file_limit(10, [&] {
    LineFile file(folder / "a");
    file.append("1234567");
    const auto error = tests::thrown_error([&] { file.append("1234567"); });
    return error && error->kind() == ErrorKind::io;
  }));
  EXPECT_EQ(read_file(folder / "a"), "1234567\n");
}

}  // namespace
}  // namespace headroom::base
