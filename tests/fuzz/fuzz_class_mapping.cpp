// Class mappings: refused with an Error that names the source, or the same after writing and
// reading.

#include "core/base/class_mapping.hpp"
#include "core/base/error.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  const std::string text(fuzz::text_of(data, size));
  if (const auto key = base::parse_mask_key(text))
    fuzz::require(base::parse_mask_key(base::to_string(*key)) == key);
  try {
    const base::ClassMapping mapping = base::parse_class_mapping(text, "mapping.json");
    fuzz::require(base::parse_class_mapping(base::to_json(mapping), "again.json") == mapping);
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage &&
                  error.parts().subject.find("mapping.json") != std::string::npos);
  }
  return 0;
}
