#pragma once
// The keys of Model & plan: arrows move the selection, 1 to 4 choose, Space and Enter cycle, − and
// + move the budget, Ctrl+Z undoes. The UI thread.

#include <optional>

#include "core/plan/plan.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

struct PlanKeys {
  int move = 0;  ///< −1, 0 or 1 stage
  std::optional<plan::Policy> chosen{};
  bool cycles = false;
  int budget_steps = 0;  ///< −1, 0 or 1
  bool undoes = false;
};

/// To be called inside the panel, in every frame. While the panel has the focus its keys are its
/// own, so that they neither move ImGui's cursor nor pause the run.
[[nodiscard]] PlanKeys read_plan_keys();

}  // namespace headroom::ui
