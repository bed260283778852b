#pragma once
// Members of JSON objects that may be absent or of another type than expected. Pure; any thread.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// Nothing where `object` is no object or has no such member.
[[nodiscard]] inline const nlohmann::json* find_member(const nlohmann::json& object,
                                                       const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

[[nodiscard]] inline std::optional<std::int64_t> integer_member(const nlohmann::json& object,
                                                                const char* key) {
  const nlohmann::json* member = find_member(object, key);
  if (member == nullptr || !member->is_number_integer()) return std::nullopt;
  return member->get<std::int64_t>();
}

[[nodiscard]] inline std::optional<std::string> text_member(const nlohmann::json& object,
                                                            const char* key) {
  const nlohmann::json* member = find_member(object, key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

[[nodiscard]] inline bool has_list(const nlohmann::json& object, const char* key) {
  const nlohmann::json* member = find_member(object, key);
  return member != nullptr && member->is_array();
}

/// Nothing unless both are there and above 0.
[[nodiscard]] inline std::optional<ImageSize> size_member(const nlohmann::json& object,
                                                          const char* height, const char* width) {
  const auto rows = integer_member(object, height);
  const auto columns = integer_member(object, width);
  if (!rows || !columns || *rows < 1 || *columns < 1) return std::nullopt;
  return ImageSize{*rows, *columns};
}

}  // namespace headroom::formats
