#pragma once
// A tooltip of named values in columns: what charts show of the place under the mouse. The UI
// thread.

#include <span>
#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

struct ValueRow {
  std::string label{};
  std::string value{};
  ImVec4 colour{};  ///< of a swatch in front; all zero: none
};

/// At the mouse, in this frame. `title` is one line above the rows; `note` wraps below them; both
/// may be empty.
void value_tooltip(const Frame& frame, std::string_view title, std::span<const ValueRow> rows,
                   std::string_view note = {});

}  // namespace headroom::ui
