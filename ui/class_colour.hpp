#pragma once
// The colours of classes by their names, in tables and charts and over images. Pure; any thread.

#include <cstddef>
#include <span>
#include <string>

#include "ui/class_order.hpp"
#include "ui/theme.hpp"

namespace headroom::ui {

/// In tables and charts; quiet for the background.
[[nodiscard]] inline ImVec4 chart_colour(const Theme& theme, std::span<const std::string> names,
                                         std::size_t id) {
  const auto number = foreground_number(names, id);
  return number ? chart_class_colour(theme, *number)
                : theme.policy[static_cast<std::size_t>(plan::Policy::keep)];
}

}  // namespace headroom::ui
