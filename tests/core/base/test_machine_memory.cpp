#include "core/base/machine_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::base {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = 1024 * 1024;

/// A root folder with the files that the kernel would show.
class FakeRoot : public testing::Test {
 protected:
  void SetUp() override {
    put("proc/meminfo",
        "MemTotal:        8388608 kB\nMemFree: 1 kB\nMemAvailable:    6291456 kB\n");
  }

  void put(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }

  [[nodiscard]] MachineMemory read() const { return read_machine_memory(folder_.path()); }

 private:
  tests::TemporaryFolder folder_;
};
using MachineMemoryUnder = FakeRoot;

TEST_F(MachineMemoryUnder, NoGroups_IsTheMachines) {
  EXPECT_EQ(read().total_bytes, 8192 * kMiB);
  EXPECT_EQ(read().available_bytes, 6144 * kMiB);
}

TEST_F(MachineMemoryUnder, Version2Limit_IsTheTightestOfAllParents) {
  put("proc/self/cgroup", "0::/slice/job\n");
  put("sys/fs/cgroup/slice/job/memory.max", "max\n");
  put("sys/fs/cgroup/slice/memory.max", "2147483648\n");
  put("sys/fs/cgroup/slice/memory.current", "1073741824\n");
  put("sys/fs/cgroup/slice/memory.stat", "anon 5\ninactive_file 104857600\n");
  EXPECT_EQ(read().total_bytes, 2048 * kMiB);
  EXPECT_EQ(read().available_bytes, 1124 * kMiB);
}

TEST_F(MachineMemoryUnder, Version2InsideAContainer_LooksAtTheRootOfWhatIsMounted) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "1073741824\n");
  put("sys/fs/cgroup/memory.current", "0\n");
  EXPECT_EQ(read().total_bytes, 1024 * kMiB);
  EXPECT_EQ(read().available_bytes, 1024 * kMiB);
}

TEST_F(MachineMemoryUnder, Version1Limit_Counts) {
  put("proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/job\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n");
  put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1073741824\n");
  put("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 536870912\n");
  EXPECT_EQ(read().total_bytes, 1024 * kMiB);
  EXPECT_EQ(read().available_bytes, 512 * kMiB);
}

TEST_F(MachineMemoryUnder, LimitAboveTheMachine_ChangesNothing) {
  put("proc/self/cgroup", "4:memory:/\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(read().total_bytes, 8192 * kMiB);
}

TEST_F(MachineMemoryUnder, MoreInUseThanAllowed_LeavesNothing) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "1073741824\n");
  put("sys/fs/cgroup/memory.current", "2147483648\n");
  EXPECT_EQ(read().available_bytes, 0);
}

TEST(ReadMachineMemory, ThisMachine_HasSome) {
  const MachineMemory memory = read_machine_memory();
  EXPECT_GT(memory.available_bytes, 0);
  EXPECT_GE(memory.total_bytes, memory.available_bytes);
}

TEST(ReadMachineMemory, NoProc_ThrowsIo) {
  const tests::TemporaryFolder folder;
  const auto error =
      tests::thrown_error([&] { static_cast<void>(read_machine_memory(folder.path())); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::io);
}

}  // namespace
}  // namespace headroom::base
