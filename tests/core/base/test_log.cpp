#include "core/base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::base {
namespace {

std::string stderr_of(LogVerbosity verbosity) {
  testing::internal::CaptureStderr();
  Log log(verbosity);
  log.debug("d {}");
  log.info("i");
  log.warning("w");
  log.error("e");
  return testing::internal::GetCapturedStderr();
}

TEST(Log, Normal_WritesInfoPlainAndNamesGraverLevels) {
  EXPECT_EQ(stderr_of(LogVerbosity::normal), "i\nwarning: w\nerror: e\n");
}

TEST(Log, Quiet_WritesOnlyWarningsAndErrors) {
  EXPECT_EQ(stderr_of(LogVerbosity::quiet), "warning: w\nerror: e\n");
}

TEST(Log, Verbose_WritesDebugVerbatim) {
  EXPECT_EQ(stderr_of(LogVerbosity::verbose), "debug: d {}\ni\nwarning: w\nerror: e\n");
}

TEST(Log, WithFile_WritesEveryLevelThere) {
  const tests::TemporaryFolder folder;
  Log log(LogVerbosity::quiet);
  log.add_file(folder / "log.txt");
  log.debug("details");
  EXPECT_THAT(read_file(folder / "log.txt"),
              testing::MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9:.]+Z debug: details\n"));
}

TEST(Log, FileThatCannotBeOpened_ThrowsIo) {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "a", "");
  Log log(LogVerbosity::quiet);
  const auto error = tests::thrown_error([&] { log.add_file(folder / "a" / "log.txt"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
}

}  // namespace
}  // namespace headroom::base
