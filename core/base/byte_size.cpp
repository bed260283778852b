#include "core/base/byte_size.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/base/quantity_text.hpp"

namespace headroom::base {
namespace {

constexpr std::int64_t kKi = 1024;
constexpr auto kBinaryUnits = std::to_array<NamedUnit>({
    {"B", 1},
    {"KiB", kKi},
    {"MiB", kKi* kKi},
    {"GiB", kKi* kKi* kKi},
    {"TiB", kKi* kKi* kKi* kKi},
});
constexpr auto kReadableUnits = std::to_array<NamedUnit>({
    {"", 1},
    {"b", 1},
    {"kb", 1'000},
    {"mb", 1'000'000},
    {"gb", 1'000'000'000},
    {"tb", 1'000'000'000'000},
    {"kib", kKi},
    {"mib", kKi* kKi},
    {"gib", kKi* kKi* kKi},
    {"tib", kKi* kKi* kKi* kKi},
});

}  // namespace

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
  return parse_quantity(text, kReadableUnits, std::numeric_limits<std::int64_t>::max());
}

std::string format_bytes(std::int64_t bytes) {
  const auto signed_value = static_cast<double>(bytes);
  const double value = signed_value < 0 ? -signed_value : signed_value;
  if (value < static_cast<double>(kKi)) return fmt::format("{} B", bytes);

  std::size_t unit = 1;
  // What would be shown as 1024.0 is 1.00 of the next unit.
  while (unit + 1 < kBinaryUnits.size() &&
         value / static_cast<double>(kBinaryUnits[unit].factor) >= 1023.95) {
    ++unit;
  }
  const double shown = signed_value / static_cast<double>(kBinaryUnits[unit].factor);
  const int decimals = shown < 9.995 && shown > -9.995 ? 2 : 1;
  return fmt::format("{:.{}f} {}", shown, decimals, kBinaryUnits[unit].name);
}

std::string exact_byte_size(std::int64_t bytes) {
  const NamedUnit& unit = largest_exact_unit(bytes, kBinaryUnits);
  if (unit.factor == 1) return fmt::format("{}", bytes);
  return fmt::format("{}{}", bytes / unit.factor, unit.name);
}

}  // namespace headroom::base
