#include "core/base/quantity_text.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  // Not std::tolower: the units are ASCII in every locale.
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string_view without_trailing_spaces(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::int64_t> parse_quantity(std::string_view text, std::span<const NamedUnit> units,
                                           std::int64_t most) {
  const std::size_t number_end = text.find_first_not_of("0123456789.");
  const std::string_view number = text.substr(0, number_end);
  std::string_view unit_text;
  if (number_end != std::string_view::npos) unit_text = text.substr(number_end);
  while (unit_text.starts_with(' ')) unit_text.remove_prefix(1);

  const std::string unit_name = in_lower_case(without_trailing_spaces(unit_text));
  const auto unit = std::find_if(units.begin(), units.end(), [&](const NamedUnit& candidate) {
    return candidate.name == unit_name;
  });
  if (unit == units.end()) return std::nullopt;

  // Whole numbers stay exact; a double holds 53 bits only.
  if (const std::optional<std::int64_t> whole = parse_integer(number)) {
    if (*whole > most / unit->factor) return std::nullopt;
    return *whole * unit->factor;
  }
  const std::optional<double> real = parse_real(number);
  if (!real) return std::nullopt;
  const double product = std::round(*real * static_cast<double>(unit->factor));
  // Not <=: `most` as a double may be rounded up beyond what fits.
  if (!(product < static_cast<double>(most))) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

const NamedUnit& largest_exact_unit(std::int64_t value, std::span<const NamedUnit> units) {
  const NamedUnit* best = &units.front();
  for (const NamedUnit& unit : units) {
    if (value != 0 && value % unit.factor == 0) best = &unit;
  }
  return *best;
}

}  // namespace headroom::base
