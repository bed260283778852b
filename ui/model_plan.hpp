#pragma once
// The panel Model & plan: the network as a U whose stages are switches, the inspector of the
// selected stage, and the table with the same facts. The UI thread.

#include <vector>

#include "core/plan/plan.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct ModelPlanState {
  std::vector<plan::Plan> undo{};  ///< plans before each change, latest last
  bool is_painting = false;        ///< the mouse drags a policy over blocks
  plan::Policy painted = plan::Policy::keep;
  std::vector<float> shown_width{};  ///< of the blocks' solid parts, sliding to their values
};

/// Draws into the current window.
void draw_model_plan(const Frame& frame, ModelPlanState& state);

}  // namespace headroom::ui
