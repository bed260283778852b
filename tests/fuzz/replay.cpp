// Runs a fuzz target over kept inputs, for builds without libFuzzer: every file of the folders that
// are named.
//
//   fuzz_NAME FOLDER…
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "core/base/atomic_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

int main(int count, char** arguments) {
  int inputs = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
      const std::string bytes = headroom::base::read_file(entry.path());
      fmt::print("{}\n", entry.path().string());
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++inputs;
    }
  }
  fmt::print("{} inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
