#include "app/environment.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace headroom::app {
namespace {

TEST(DescribeBuild, ExactCommit_SaysAllThereIs) {
  EXPECT_EQ(describe_build("0123456789ab", "/no/such/program"), "0123456789ab");
}

TEST(DescribeBuild, ChangedTree_TellsProgramsOfDifferentTimesApart) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path program = folder.path() / "program";
  std::ofstream(program) << "one";
  for (const char* commit : {"unknown", "0123456789ab-dirty"}) {
    const std::string first = describe_build(commit, program);
    EXPECT_EQ(describe_build(commit, program), first);
    const auto time = std::filesystem::last_write_time(program);
    std::filesystem::last_write_time(program, time + std::chrono::seconds(1));
    EXPECT_NE(describe_build(commit, program), first);
    std::filesystem::last_write_time(program, time);
  }
}

}  // namespace
}  // namespace headroom::app
