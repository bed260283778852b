// Descriptions of nnU-Net data sets: refused with an Error that names the source, or read.

#include "core/base/error.hpp"
#include "core/formats/nnunet_description.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  const std::string text(fuzz::text_of(data, size));
  try {
    static_cast<void>(formats::parse_nnunet_description(text, "dataset.json"));
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage &&
                  error.parts().subject.find("dataset.json") != std::string::npos);
  }
  return 0;
}
