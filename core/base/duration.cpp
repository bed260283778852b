#include "core/base/duration.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "core/base/quantity_text.hpp"

namespace headroom::base {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kHundredYears = 36'525 * kDay;

constexpr auto kReadableUnits = std::to_array<NamedUnit>(
    {{"", 1}, {"s", 1}, {"sec", 1}, {"m", kMinute}, {"min", kMinute}, {"h", kHour}, {"d", kDay}});
constexpr auto kExactUnits =
    std::to_array<NamedUnit>({{"s", 1}, {"min", kMinute}, {"h", kHour}, {"d", kDay}});

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  return parse_quantity(text, kReadableUnits, kHundredYears);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "–";
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  if (seconds >= static_cast<double>(kHundredYears)) return "over 100 years";

  const std::int64_t whole = std::llround(seconds);
  if (whole < kHour) return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  const std::int64_t minutes = whole / kMinute;
  if (whole < kDay) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  const std::int64_t hours = whole / kHour;
  return fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

std::string exact_duration(std::int64_t seconds) {
  const NamedUnit& unit = largest_exact_unit(seconds, kExactUnits);
  return fmt::format("{}{}", seconds / unit.factor, unit.name);
}

std::string utc_timestamp(std::chrono::system_clock::time_point time) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(milliseconds);
  const std::time_t calendar = std::chrono::system_clock::to_time_t(seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(calendar),
                     (milliseconds - seconds).count());
}

}  // namespace headroom::base
