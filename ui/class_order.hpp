#pragma once
// Which class has which colour: the background has none of its own, the others count from 0. Pure;
// any thread.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace headroom::ui {

[[nodiscard]] inline bool is_background(const std::string& name) { return name == "background"; }

/// The number of class `id` among those that are not the background; nothing for the background.
[[nodiscard]] inline std::optional<std::size_t> foreground_number(
    std::span<const std::string> names, std::size_t id) {
  if (id < names.size() && is_background(names[id])) return {};
  std::size_t number = id;
  for (std::size_t before = 0; before < id && before < names.size(); ++before) {
    if (is_background(names[before])) --number;
  }
  return number;
}

}  // namespace headroom::ui
