#pragma once
// What a filter field looks for. Pure; any thread.

#include <algorithm>
#include <string_view>

namespace headroom::ui {

/// In upper or lower case (A to Z); an empty part is in every text.
[[nodiscard]] inline bool contains_text(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return part.empty() || !std::ranges::search(text, part, {}, lower, lower).empty();
}

}  // namespace headroom::ui
