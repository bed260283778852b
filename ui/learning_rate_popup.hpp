#pragma once
// The small window in which the peak of the learning rate's schedule is set. The UI thread.

#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

struct LearningRateState {
  std::string typed{};
};

/// Opens it, with the rate that is in force.
void open_learning_rate_popup(const Frame& frame, LearningRateState& state);

/// Draws it where it is open, with its upper left corner at `at` (pixels); in the window that
/// opened it.
void draw_learning_rate_popup(const Frame& frame, LearningRateState& state, const ImVec2& at);

/// Why the text is no learning rate; empty: it is one.
[[nodiscard]] std::string rate_problem(const std::string& typed);

}  // namespace headroom::ui
