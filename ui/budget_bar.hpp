#pragma once
// The bar from nothing to past the budget with a handle at the budget: dragged, it shows the plan
// that it would choose. The UI thread.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "ui/frame.hpp"
#include "ui/plan_edit.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

/// The bar's own, kept from frame to frame.
struct BudgetBarState {
  std::optional<std::int64_t> held{};  ///< while the handle is dragged, bytes
  std::optional<double>
      dragged_in_chart{};                ///< bytes, while its line in the chart Plans is dragged
  std::optional<std::int64_t> target{};  ///< of a run: the budget that a plan was chosen for last
  std::filesystem::path run_folder{};    ///< that `target` belongs to
};

/// Where the handle is: held, left in this run, or at the budget.
[[nodiscard]] std::int64_t handle_bytes(const Frame& frame, const BudgetBarState& state);

/// By how much the handle moves, where the bar ends at `end_bytes`.
[[nodiscard]] std::int64_t budget_step(double end_bytes);

/// Draws at the cursor over the current window's width and advances it. `steps`: by which a key
/// moved the handle. What was chosen is asked for.
void draw_budget_bar(const Frame& frame, const NetworkFacts& network, PlanEdit& edit, int steps,
                     BudgetBarState& state);

}  // namespace headroom::ui
