#pragma once
// The table beside the U: all stages and the head with the same facts, to be read and selected row
// by row. The UI thread.

#include "ui/frame.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

/// Stage indices; -1: none.
struct TableTouch {
  int selected = -1;  ///< a row was pressed
  int cycled = -1;    ///< the policy of a row was pressed
  int right_pressed = -1;
};

/// At the cursor, over the window's width.
[[nodiscard]] TableTouch draw_stage_table(const Frame& frame, const NetworkFacts& network);

}  // namespace headroom::ui
