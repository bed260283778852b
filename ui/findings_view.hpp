#pragma once
// The findings of a scan: counted by severity, which can be hidden each, and listed with what they
// are about. Drawn into the current window; the UI thread.

#include "ui/data_state.hpp"

namespace headroom::ui {

/// Height of one finding, in pixels.
[[nodiscard]] float finding_row(const Frame& frame);

/// In a box of pixels at the cursor, with its title line.
void draw_findings(const Frame& frame, DataState& state, const ImVec2& size);

/// The mark of a severity, in its colour.
struct SeverityLook {
  const char* icon;
  ImVec4 colour;
};
[[nodiscard]] SeverityLook look_of(const Theme& theme, base::Severity severity);

}  // namespace headroom::ui
