#pragma once
// Numbers from and to text, the same in every locale. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::base {

/// The whole of `text` as a decimal number with an optional sign; nothing where it is none or does
/// not fit.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
/// The same for a real number with a point ("1e-3", "0.5"). Infinity and NaN are no numbers here.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);
/// The shortest text that reads back as the same number: "0.001", "1e-07".
[[nodiscard]] std::string format_real(double value);
/// For people: thousands stand apart by a thin space (U+2009): "1 680".
[[nodiscard]] std::string format_count(std::int64_t count);

}  // namespace headroom::base
