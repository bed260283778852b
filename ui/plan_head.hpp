#pragma once
// The head of Model & plan: peak, step time and headroom of the plan that counts, as measured, or
// as predicted where it was not; each beside all Keep where that is known too; undo and fit. The UI
// thread.

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

/// Which button was pressed.
struct PlanHeadTouch {
  bool undoes = false;
  bool fits = false;  ///< the cheapest plan that fits is wanted; the forecast has one
};

/// Draws at the cursor over the current window's width and advances it.
[[nodiscard]] PlanHeadTouch draw_plan_head(const Frame& frame, const NetworkFacts& network,
                                           const PlanEdit& edit);

/// Swatches and names of the policies.
void draw_policy_legend(const Frame& frame);

}  // namespace headroom::ui
