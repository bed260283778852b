#pragma once
// Numbers as the dashboard writes them: thin spaces in thousands, a true minus, a unit with every
// value, an en dash for what is not known. Pure; any thread.

#include <cstdint>
#include <string>

namespace headroom::ui {

inline constexpr const char* kNone = "\xE2\x80\x93";  ///< –

/// "1 712" with a thin space.
[[nodiscard]] std::string count_text(std::int64_t count);
/// "7.14 GiB", "884 MiB"; below 0 with a true minus.
[[nodiscard]] std::string bytes_text(std::int64_t bytes);
/// Where room is short: three digits and no zeros behind, "800 MiB", "1.56 GiB", "10 MiB"; `digits`
/// 2: "1.6 GiB".
[[nodiscard]] std::string short_bytes_text(std::int64_t bytes, int digits = 3);
/// The same with its zeros, for figures that change in place: "7.10 GiB", "884 MiB".
[[nodiscard]] std::string figure_bytes_text(std::int64_t bytes);
/// Signed, as short_bytes_text.
[[nodiscard]] std::string short_bytes_change_text(std::int64_t bytes);
/// Signed: "+600 MiB", "−2.54 GiB", "±0 B".
[[nodiscard]] std::string bytes_change_text(std::int64_t bytes);
/// "831 ms", "12.4 s", "0.42 ms".
[[nodiscard]] std::string time_text(double seconds);
/// "+30 ms", "−22 ms".
[[nodiscard]] std::string time_change_text(double seconds);
/// "0.7 %" of a share of 1; one decimal below 10 %.
[[nodiscard]] std::string percent_text(double share);
/// "0.084", "831", "2 840": about three digits that count, never an exponent; for values with a
/// unit nearby.
[[nodiscard]] std::string plain_text(double value);
/// "0.084", "2.4e-4": `digits` significant ones.
[[nodiscard]] std::string value_text(double value, int digits = 3);
/// "0.500", "2.90", "831", "2.4e-4": three significant digits whether zeros or not, so that a value
/// that changes stays in place.
[[nodiscard]] std::string measured_text(double value);
/// A learning rate: "2.4e-4", "1e-3", "0.05".
[[nodiscard]] std::string rate_text(double rate);
/// "4 min 03 s left", short: "4:03 left"; whole seconds, one at least.
[[nodiscard]] std::string time_left_text(double seconds, bool is_short);

}  // namespace headroom::ui
