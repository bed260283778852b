#pragma once
// What is known of one step of a run, as rows of a tooltip. The UI thread.

#include <cstdint>
#include <vector>

#include "ui/value_tooltip.hpp"

namespace headroom::ui {

/// Loss, rate, time and peak of the steps around `step`, and the validation at or before it.
[[nodiscard]] std::vector<ValueRow> values_at(const Frame& frame, std::int64_t step);

}  // namespace headroom::ui
