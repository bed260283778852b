// Scripts for the dashboard: refused with an Error of the kind usage that names the file, or lines
// of known verbs.

#include "app/script_text.hpp"
#include "core/base/error.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  static const fuzz::ScratchFolder folder;
  const std::filesystem::path file = folder.write("script.txt", fuzz::text_of(data, size));
  try {
    int number = 0;
    for (const app::ScriptLine& line : app::read_script(file)) {
      fuzz::require(line.number > number && !line.verb.empty());
      number = line.number;
    }
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage &&
                  std::string_view(error.what()).find("script.txt") != std::string_view::npos);
  }
  return 0;
}
