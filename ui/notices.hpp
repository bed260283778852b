#pragma once
// What must not be missed: a run that failed with what can be done about it, the end of a run, a
// request that failed, memory that ran out, work in the background, and saving before the window
// goes. The UI thread.

#include <cstdint>

#include "ui/frame.hpp"

namespace headroom::ui {

struct NoticesState {
  std::int64_t dismissed_problem = 0;  ///< Shell::problem_number that was closed
  std::size_t dismissed_reliefs = 0;   ///< of the run's memory reliefs, those that were closed
  bool end_is_dismissed = false;       ///< of the run that is over: its failure or its end
};

/// Pixels to leave free below the panels: the end of a run is told until somebody has read it, and
/// covers nothing meanwhile.
[[nodiscard]] float room_for_notices(const Frame& frame, const NoticesState& state);

/// Draws over the panels. Nothing is modal but saving before closing.
void draw_notices(const Frame& frame, NoticesState& state);

}  // namespace headroom::ui
