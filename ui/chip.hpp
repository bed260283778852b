#pragma once
// A small switch that carries what it shows or hides: an icon or a colour, and a word. The UI
// thread.

#include <string_view>

#include "ui/frame.hpp"

namespace headroom::ui {

struct ChipLook {
  std::string_view label{};
  const char* icon = nullptr;  ///< null: a swatch of the colour
  ImVec4 colour{};
  std::string_view tooltip{};
};

/// At the cursor, which is moved behind it in the same line; true when `is_on` changed.
[[nodiscard]] bool chip(const Frame& frame, const char* name, const ChipLook& look, bool& is_on);

/// In pixels.
[[nodiscard]] float chip_width(const Frame& frame, const ChipLook& look);

}  // namespace headroom::ui
