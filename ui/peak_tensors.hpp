#pragma once
// Which tensors held a step's peak, as rows of a tooltip. The UI thread.

#include <span>
#include <string>
#include <vector>

#include "core/plan/step_timeline.hpp"
#include "ui/frame.hpp"
#include "ui/value_tooltip.hpp"

namespace headroom::ui {

/// The largest, each in its owner's colour: what it is, its shape and type, its bytes.
[[nodiscard]] std::vector<ValueRow> peak_rows(const plan::StepTimeline& timeline,
                                              std::span<const ImVec4> colours);
/// What the rows leave out: "and 41 smaller ones, 12.0 MiB; not named: 3 blocks, 64 B". Empty where
/// that is nothing.
[[nodiscard]] std::string peak_note(const plan::StepTimeline& timeline);

}  // namespace headroom::ui
