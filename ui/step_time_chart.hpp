#pragma once
// The time of a step, stacked by what it went into. The UI thread.

#include <array>
#include <vector>

#include "ui/chart_frame.hpp"

namespace headroom::ui {

void draw_step_time_chart(const Frame& frame, const ChartPlace& place);

/// Parts of a step in the order in which they are stacked; forward contains the loss.
enum class StepPart { forward, backward, recompute, optimizer, data };
inline constexpr std::size_t kStepParts = 5;

/// Mean seconds of each part, column by column.
struct StackedSteps {
  std::vector<double> steps{};
  std::array<std::vector<double>, kStepParts> upper{};  ///< upper edges: sums with all parts below
};
[[nodiscard]] StackedSteps stacked_steps(const run::StepHistory& history, double first, double last,
                                         int columns);

}  // namespace headroom::ui
