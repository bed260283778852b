#pragma once
// Text and attributes for HTML, SVG and XML: the one place that escapes. Pure; any thread.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace headroom::run {

/// Safe between tags and in a quoted attribute. Bytes that are not UTF-8 and characters that XML
/// does not have become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

/// "data:image/jpeg;base64,…" of the file's bytes.
[[nodiscard]] std::string jpeg_address(std::string_view bytes);

/// How a number is shown to people.
enum class Notation { bytes, seconds, milliseconds, score, count, ratio, real };
/// An en dash where the value is no number.
[[nodiscard]] std::string shown(const nlohmann::ordered_json& value, Notation notation);

}  // namespace headroom::run
