#include "core/base/text_number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>

namespace headroom::base {
namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  // from_chars knows no plus sign, and would take "+-1" apart.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = parse_whole<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::string format_real(double value) { return fmt::format("{}", value); }

std::string format_count(std::int64_t count) {
  constexpr std::ptrdiff_t kGroup = 3;
  std::string text = fmt::format("{}", count);
  const std::ptrdiff_t digits_begin = count < 0 ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(text) - kGroup; at > digits_begin; at -= kGroup) {
    text.insert(static_cast<std::size_t>(at), "\u2009");
  }
  return text;
}

}  // namespace headroom::base
