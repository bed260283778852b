// The main of every test program that uses LibTorch: the process-wide hooks, then the tests, each
// from the same seed and on two threads.

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "core/memory/runtime.hpp"

namespace {

constexpr std::uint64_t kSeed = 1234;

class SeedBeforeEveryTest : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& /*test*/) override { at::manual_seed(kSeed); }
};

}  // namespace

int main(int argc, char** argv) {
  headroom::memory::install_runtime();
  at::set_num_threads(2);
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new SeedBeforeEveryTest);
  return RUN_ALL_TESTS();
}
