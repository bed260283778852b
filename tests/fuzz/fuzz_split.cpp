// Files that split a data set: refused with an Error of the kind usage, or no sample on both sides.

#include <algorithm>

#include "core/base/error.hpp"
#include "core/data/split.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  static const fuzz::ScratchFolder folder;
  const std::vector<data::Sample> samples = {{.id = "a"}, {.id = "b"}, {.id = "c"}};
  const std::filesystem::path file = folder.write("split.json", fuzz::text_of(data, size));
  try {
    const data::Split split = data::make_split(samples, {.from = file.string()}).split;
    fuzz::require(!split.train.empty() && !split.validation.empty());
    for (const std::int64_t index : split.train) {
      fuzz::require(index >= 0 && index < 3 &&
                    std::ranges::find(split.validation, index) == split.validation.end());
    }
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage);
  }
  return 0;
}
