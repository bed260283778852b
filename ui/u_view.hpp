#pragma once
// The U as it is drawn: blocks with what they hold, skip lines, labels; and what the mouse does to
// it. The UI thread.

#include <imgui.h>

#include "ui/frame.hpp"
#include "ui/slides.hpp"
#include "ui/stage_facts.hpp"
#include "ui/u_layout.hpp"

namespace headroom::ui {

/// Stage indices, the head included; -1: none.
struct UTouch {
  int hovered = -1;  ///< by the mouse, else by keyboard
  int pressed = -1;  ///< the mouse button went down on it
  int right_pressed = -1;
  int activated = -1;  ///< by keyboard
};

/// Where everything lies in `width` pixels, by what is known of the stages.
[[nodiscard]] ULayout u_layout_of(const Frame& frame, const NetworkFacts& network, float width,
                                  float height_scale);

/// Draws with its upper left corner at `origin`, in pixels. `is_stroking`: a policy is being
/// painted, and nothing is told about blocks meanwhile.
[[nodiscard]] UTouch draw_u(const Frame& frame, const NetworkFacts& network, const ULayout& layout,
                            const ImVec2& origin, Slides& slides, bool is_stroking);

}  // namespace headroom::ui
