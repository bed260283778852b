#pragma once
// JSON that people and other programs hand in, and JSON that is written for them. Pure; any thread.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace headroom::base {

/// An object. Throws Error (usage) naming `source`, line and column when `text` is no JSON, no
/// object, or has the same key twice in one object. `attempted` as in ErrorParts: "reading the
/// class mapping".
[[nodiscard]] nlohmann::json parse_json_object(std::string_view text, const std::string& attempted,
                                               const std::string& source);

/// Text that never fails: bytes that are not UTF-8 are replaced. `indent` -1: one line.
[[nodiscard]] std::string dump_json(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace headroom::base
