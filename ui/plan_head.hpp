#pragma once
// The head of Model & plan: peak, step time and headroom as measured, each beside all Keep where
// that was measured too; the bar from nothing to past the budget; undo. The UI thread.

#include <cstdint>
#include <string>

#include "core/run/snapshot.hpp"
#include "ui/frame.hpp"
#include "ui/plan_edit.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

/// "−59 % against all Keep", of measurements in this run alone; empty where there are none.
/// `is_short`: "−59 % to all Keep".
[[nodiscard]] std::string peak_note(const run::RunSnapshot& run, const NetworkFacts& network,
                                    bool is_short);
[[nodiscard]] std::string step_time_note(const run::RunSnapshot& run, const NetworkFacts& network,
                                         bool is_short);

/// Draws at the cursor over the current window's width and advances it. True when undo was pressed.
[[nodiscard]] bool draw_plan_head(const Frame& frame, const NetworkFacts& network,
                                  const PlanEdit& edit);

/// Swatches and names of the policies.
void draw_policy_legend(const Frame& frame);

}  // namespace headroom::ui
