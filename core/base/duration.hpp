#pragma once
// Lengths and points of time from and to text, the same in every locale. Pure; any thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::base {

/// Where code that measures time gets it from; handed in, so that tests decide what time it is.
using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;
using WallClock = std::function<std::chrono::system_clock::time_point()>;

/// Whole seconds of "300", "300s", "5min", "1.5h" or "2d"; nothing where the text is something
/// else, negative, or beyond a hundred years.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

/// For people: "8 ms", "0.85 s", "12.3 s", "4 min 03 s", "2 h 07 min", "3 d 04 h". Negative and not
/// finite: "–".
[[nodiscard]] std::string format_duration(double seconds);

/// For files and settings: the largest unit that divides it, so that it reads back exactly: "5min",
/// "90s".
[[nodiscard]] std::string exact_duration(std::int64_t seconds);

/// "2026-01-31T12:34:56.789Z" (ISO 8601, UTC).
[[nodiscard]] std::string utc_timestamp(std::chrono::system_clock::time_point time);

}  // namespace headroom::base
