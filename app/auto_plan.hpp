#pragma once
// What `--plan auto` stands for. Worker thread.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/plan/plan.hpp"

namespace headroom::app {

struct AutoPlanRequest {
  base::Settings settings{};
  std::int64_t budget_bytes = 0;
  /// Where no plan fits: whether one will do that fits fewer tiles at once, because a training
  /// computes its batch in parts then.
  bool may_split_batch = false;
  /// What is done and what was chosen; may be empty.
  std::function<void(base::Severity severity, std::string message)> on_message{};
};

/// Keep where it fits the budget, else the fastest plan that does. Calibrates only where Keep might
/// not fit. On a GPU, which cannot be calibrated, Keep. Throws base::Error: out_of_memory where no
/// plan fits, interrupted.
[[nodiscard]] plan::Plan choose_auto_plan(const AutoPlanRequest& request, std::stop_token stop);

}  // namespace headroom::app
