#pragma once
// The chart Plans: predicted peak against predicted step time, the cheapest plan for every budget,
// the plan that counts, and what was measured. The UI thread.

#include <optional>

#include "ui/chart_frame.hpp"
#include "ui/outlook.hpp"

namespace headroom::ui {

struct PlanChartContent {
  const run::PlanForecast& forecast;
  std::vector<MeasuredPlan> measured{};  ///< of the run, at the forecast's size
  std::int64_t budget_bytes = 0;         ///< where its handle is; 0: not known
};

/// What was done in this frame.
struct PlanChartTouch {
  std::optional<plan::Plan> pressed{};     ///< of a point of the curve
  std::optional<double> dragged_budget{};  ///< bytes, while its line is held
};

/// `refusal`: as a control's.
[[nodiscard]] PlanChartTouch draw_plan_chart(const Frame& frame, const ChartPlace& place,
                                             const PlanChartContent& content,
                                             const std::string& refusal);

/// What a plan does, for people: its stages that are not Keep, or "all Keep"; cut where there are
/// many.
[[nodiscard]] std::string plan_words(const plan::Plan& plan, const std::vector<std::string>& names);

}  // namespace headroom::ui
