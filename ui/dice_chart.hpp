#pragma once
// The Dice of every validation: the mean and the classes, with their names' values at the lines'
// ends. The UI thread.

#include <cstddef>
#include <span>
#include <vector>

#include "ui/chart_frame.hpp"

namespace headroom::ui {

void draw_dice_chart(const Frame& frame, const ChartPlace& place);

/// Which classes have a line: all of few, else the worst and the best of the latest values. NaN
/// counts as worst. Ascending.
[[nodiscard]] std::vector<std::size_t> charted_classes(std::span<const double> latest_dice);

}  // namespace headroom::ui
