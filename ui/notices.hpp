#pragma once
// What must not be missed: a run that failed with what can be done about it, a request that failed,
// work in the background, and the question before what loses work. The UI thread.

#include <cstdint>

#include "ui/frame.hpp"

namespace headroom::ui {

struct NoticesState {
  std::int64_t dismissed_problem = 0;   ///< Shell::problem_number that was closed
  std::int64_t dismissed_failure = -1;  ///< RunSnapshot::revision at which the failure was closed
};

/// Draws over the panels.
void draw_notices(const Frame& frame, NoticesState& state);

}  // namespace headroom::ui
