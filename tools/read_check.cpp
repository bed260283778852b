// Reads every file below a folder, each in a process of its own with 2 GiB and 10 s, and says what
// became of it.
//
//   read_check FOLDER
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "tests/core/formats/limited_read.hpp"

namespace headroom {
namespace {

int check(const std::filesystem::path& folder) {
  std::array<std::int64_t, 4> counts{};
  for (const auto& file : tests::files_below(folder)) {
    const tests::LimitedRead result = tests::read_within_limits(file);
    ++counts.at(static_cast<std::size_t>(result.verdict));
    const bool is_read = result.verdict == tests::ReadVerdict::read;
    fmt::print("{}\t{}\t{}\n", tests::name_of(result.verdict),
               file.lexically_relative(folder).string(),
               is_read ? tests::text_of(result.facts) : result.message);
  }
  fmt::print("read {}, refused {}, crashed {}, hung {}\n", counts[0], counts[1], counts[2],
             counts[3]);
  return counts[2] + counts[3] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    fmt::print(stderr, "usage: read_check FOLDER\n");
    return 2;
  }
  return headroom::check(argv[1]);
}
