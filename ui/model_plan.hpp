#pragma once
// The panel Model & plan: the network as a U whose stages are switches, the inspector of the
// selected stage, the table with the same facts, and the plans there are. The UI thread.

#include "ui/budget_bar.hpp"
#include "ui/frame.hpp"
#include "ui/plan_edit.hpp"
#include "ui/policy_menu.hpp"
#include "ui/slides.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct ModelPlanState {
  PlanEdit edit{};
  BudgetBarState budget{};
  Slides slides{};  ///< of the blocks' solid parts
  PolicyMenuState menu{};
  ImVec2 stroke_at{};  ///< where the mouse was in the frame before, while a policy is painted
};

/// Draws into the current window. `state.edit` has observed the snapshot.
void draw_model_plan(const Frame& frame, ModelPlanState& state);

}  // namespace headroom::ui
