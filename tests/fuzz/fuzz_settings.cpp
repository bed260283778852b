// Settings as JSON: refused with an Error of the kind usage, or the same after writing and reading.

#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  std::string written;
  try {
    written =
        base::settings_to_json(base::settings_from_json(fuzz::text_of(data, size), "config.json"));
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage);
    return 0;
  }
  fuzz::require(base::settings_to_json(base::settings_from_json(written, "again.json")) == written);
  return 0;
}
