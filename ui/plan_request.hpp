#pragma once
// Asking the run for a plan, a budget or a size: as commands while it trains, as settings before it
// starts. The UI thread.

#include <cstdint>
#include <optional>
#include <string>

#include "core/plan/fit_map.hpp"
#include "ui/frame.hpp"
#include "ui/plan_edit.hpp"

namespace headroom::ui {

/// Nothing happens where there is no plan.
void request_plan(const Frame& frame, std::optional<plan::Plan> plan);

/// Empty: a plan can be asked for.
[[nodiscard]] std::string plan_refusal(const run::RunSnapshot& run);

/// Before the run starts: its budget, and the plan where one is given.
void request_budget(const Frame& frame, PlanEdit& edit, std::int64_t budget_bytes,
                    const plan::Plan* plan);

/// Empty: the cell's size and plan can be asked for.
[[nodiscard]] std::string cell_refusal(const Frame& frame, const plan::FitCell& cell);
/// Tile, batch and plan before the run starts; the plan alone where the run has that size.
void request_cell(const Frame& frame, PlanEdit& edit, const plan::FitCell& cell);

}  // namespace headroom::ui
