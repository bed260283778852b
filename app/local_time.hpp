#pragma once
// Points of time as people say them, in the machine's time zone. Any thread.

#include <chrono>
#include <filesystem>
#include <string>

namespace headroom::app {

/// Of local time from UTC, now.
[[nodiscard]] std::chrono::minutes local_utc_offset();

/// "today at 14:52", "yesterday at 09:05", "2026-01-31 at 14:52".
[[nodiscard]] std::string when_text(std::filesystem::file_time_type time);

}  // namespace headroom::app
