#pragma once
// Which lines of the log are shown, and how they read as text. Pure; any thread.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/snapshot.hpp"

namespace headroom::ui {

enum class LogFilter { all, events, findings };

/// Indices of the entries that pass, newest first. Findings are what was found in the data and
/// every warning and error; events are all that is not a finding of the data. `text` is looked for
/// without regard to the case of ASCII letters.
[[nodiscard]] std::vector<std::size_t> shown_lines(const std::vector<run::LogEntry>& log,
                                                   LogFilter filter, std::string_view text);

/// "14:52:31", local.
[[nodiscard]] std::string clock_text(std::chrono::system_clock::time_point time,
                                     std::chrono::minutes utc_offset);

/// One line per entry: time and text.
[[nodiscard]] std::string copied_text(const std::vector<run::LogEntry>& log,
                                      const std::vector<std::size_t>& lines,
                                      std::chrono::minutes utc_offset);

}  // namespace headroom::ui
