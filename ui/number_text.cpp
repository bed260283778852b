#include "ui/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/text_number.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kMinus = "\xE2\x88\x92";

/// "-" in front becomes a true minus.
std::string with_true_minus(const std::string& text) {
  return text.starts_with('-') ? kMinus + text.substr(1) : text;
}

/// "5e-05" becomes "5e-5".
std::string with_short_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e != std::string::npos && e + 2 < text.size() && text[e + 2] == '0') text.erase(e + 2, 1);
  return text;
}

enum class Zeros { kept, stripped };

std::string compact_bytes(std::int64_t bytes, int digits, Zeros zeros) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = std::abs(static_cast<double>(bytes));
  std::size_t unit = 0;
  // 999.5 would need a fourth digit.
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int before_point = value >= 99.5 ? 3 : (value >= 9.95 ? 2 : 1);
  const int decimals = unit == 0 ? 0 : std::max(0, digits - before_point);
  std::string number = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0 && zeros == Zeros::stripped) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
  }
  return (bytes < 0 ? kMinus : "") + number + ' ' + kUnits[unit];
}

const char* sign_of(double value) { return value < 0 ? kMinus : "+"; }

}  // namespace

std::string count_text(std::int64_t count) { return with_true_minus(base::format_count(count)); }

std::string bytes_text(std::int64_t bytes) { return with_true_minus(base::format_bytes(bytes)); }

std::string short_bytes_text(std::int64_t bytes, int digits) {
  return compact_bytes(bytes, digits, Zeros::stripped);
}

std::string figure_bytes_text(std::int64_t bytes) { return compact_bytes(bytes, 3, Zeros::kept); }

std::string short_bytes_change_text(std::int64_t bytes) {
  if (bytes == 0) return bytes_change_text(0);
  return (bytes > 0 ? "+" : "") + short_bytes_text(bytes);
}

std::string bytes_change_text(std::int64_t bytes) {
  if (bytes == 0)
    return "\xC2\xB1"
           "0 B";
  return (bytes > 0 ? "+" : "") + bytes_text(bytes);
}

std::string time_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return kNone;
  if (seconds < 0.01) return fmt::format("{:.2f} ms", seconds * 1e3);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  return fmt::format("{:.1f} s", seconds);
}

std::string time_change_text(double seconds) {
  return std::isfinite(seconds) ? sign_of(seconds) + time_text(std::abs(seconds)) : kNone;
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return kNone;
  const double percent = share * 100;
  return with_true_minus(std::abs(percent) < 9.95 ? fmt::format("{:.1f} %", percent)
                                                  : fmt::format("{:.0f} %", percent));
}

std::string plain_text(double value) {
  if (!std::isfinite(value)) return kNone;
  const double size = std::abs(value);
  if (size >= 99.95) return count_text(std::llround(value));
  const int decimals = size >= 9.995 ? 1 : (size >= 0.9995 || size == 0 ? 2 : 3);
  return with_true_minus(fmt::format("{:.{}f}", value, decimals));
}

std::string value_text(double value, int digits) {
  if (!std::isfinite(value)) return kNone;
  return with_true_minus(with_short_exponent(fmt::format("{:.{}g}", value, digits)));
}

std::string measured_text(double value) {
  constexpr double kLeast = 1e-3;
  const double size = std::abs(value);
  if (!std::isfinite(value) || size < kLeast) return value_text(value);
  return size < 0.9995 ? with_true_minus(fmt::format("{:#.3g}", value)) : plain_text(value);
}

std::string rate_text(double rate) {
  constexpr double kPlainFrom = 0.01;
  if (!(rate > 0) || rate >= kPlainFrom) return value_text(rate, 2);
  if (!std::isfinite(rate)) return kNone;
  std::string text = with_short_exponent(fmt::format("{:.1e}", rate));
  if (text.substr(1, 2) == ".0") text.erase(1, 2);
  return text;
}

std::string time_left_text(double seconds, bool is_short) {
  if (!std::isfinite(seconds) || seconds < 0) return {};
  constexpr double kMinute = 60;
  const double rounded = std::max(1.0, std::round(seconds));
  if (!is_short && rounded < kMinute) return fmt::format("{:.0f} s left", rounded);
  if (!is_short) return base::format_duration(rounded) + " left";
  const auto whole = static_cast<std::int64_t>(std::llround(rounded));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02} left", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02} left", whole / 60, whole % 60);
}

}  // namespace headroom::ui
