#pragma once
// What a panel shows while it has nothing to show. The UI thread.

#include <string_view>

#include "ui/frame.hpp"

namespace headroom::ui {

/// An icon over a sentence, in the middle of what is left of the current window. `name`: for
/// the probe.
void draw_empty_state(const Frame& frame, const char* name, const char* icon,
                      std::string_view sentence);

}  // namespace headroom::ui
