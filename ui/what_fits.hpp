#pragma once
// The panel What fits: which batch and side fit the budget, how fast, by which plan. The UI thread.

#include <optional>

#include "core/plan/fit_map.hpp"
#include "ui/frame.hpp"
#include "ui/plan_edit.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct WhatFitsState {
  std::optional<plan::BatchShape> picked{};  ///< nothing: the run's own size
};

/// Draws into the current window. What a cell asks for goes through `edit`, so that its plan can be
/// undone.
void draw_what_fits(const Frame& frame, WhatFitsState& state, PlanEdit& edit);

}  // namespace headroom::ui
