// What the program finds of earlier runs in its own folder.
#include "app/home_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/run/run_folder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

class KnownRuns : public testing::Test {
 protected:
  /// A run as training leaves it, saved after `done` of 10 steps; `hours` after the others.
  void write_run(const std::string& name, std::int64_t done, int hours) const {
    const fs::path folder = home_.path() / "runs" / name;
    run::RunFolder::create(folder, "").write_description({.data_folder = "/data/" + name});
    std::ofstream(folder / "events.jsonl") << R"({"event":"prepared","steps":10})" << '\n'
                                           << R"({"event":"saved","step":)" << done << "}\n";
    const fs::path state = folder / "state_last" / "state.safetensors";
    fs::create_directories(state.parent_path());
    std::ofstream(state) << "state";
    fs::last_write_time(state, fs::file_time_type::clock::now() + std::chrono::hours(hours));
  }

  tests::TemporaryFolder home_{};
};

TEST_F(KnownRuns, FinishedOnes_AreThereToo) {
  write_run("stopped", 4, 1);
  write_run("finished", 10, 2);
  const std::vector<KnownRun> runs = known_runs(home_.path());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].data_folder, "/data/finished") << "the latest comes first";
  EXPECT_EQ(runs[0].steps_done, 10);
  EXPECT_EQ(runs[1].data_folder, "/data/stopped");
  EXPECT_EQ(runs[1].steps_done, 4);
  EXPECT_EQ(runs[1].steps, 10);
}

TEST_F(KnownRuns, FoldersWithoutAState_AreLeftOut) {
  write_run("stopped", 4, 1);
  fs::create_directories(home_.path() / "runs" / "empty");
  EXPECT_EQ(known_runs(home_.path()).size(), 1U);
}

}  // namespace
}  // namespace headroom::app
