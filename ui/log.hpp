#pragma once
// The panel Log: what happened, with a filter and copying. The UI thread.

#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct LogState {
  int filter = 0;  ///< LogFilter
  std::string text{};
};

/// Draws into the current window.
void draw_log(const Frame& frame, LogState& state);

}  // namespace headroom::ui
