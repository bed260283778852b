// Numbers, byte sizes and lengths of time: what is read, written exactly and read again is the
// same.

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/text_number.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto bytes = base::parse_byte_size(text)) {
    fuzz::require(*bytes >= 0 && base::parse_byte_size(base::exact_byte_size(*bytes)) == bytes);
    (void)base::format_bytes(*bytes);
  }
  if (const auto seconds = base::parse_duration(text)) {
    fuzz::require(*seconds >= 0 && base::parse_duration(base::exact_duration(*seconds)) == seconds);
    (void)base::format_duration(static_cast<double>(*seconds));
  }
  if (const auto number = base::parse_integer(text))
    fuzz::require(base::parse_integer(std::to_string(*number)) == number);
  if (const auto number = base::parse_real(text))
    fuzz::require(base::parse_real(base::format_real(*number)) == number);
  return 0;
}
