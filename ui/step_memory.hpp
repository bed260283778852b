#pragma once
// The panel Step memory: the live bytes of one step stacked by stage, with what ran when and the
// peak named. The UI thread.

#include <memory>
#include <optional>

#include "ui/frame.hpp"
#include "ui/timeline_view.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct StepMemoryState {
  std::optional<TimelineView> view{};                 ///< what is shown
  bool is_frozen = false;                             ///< later steps are not shown
  std::shared_ptr<const plan::StepTimeline> seen{};   ///< what `view` was last made from
  std::shared_ptr<const run::SessionFacts> of_run{};  ///< a new run ends freezing
};

/// Draws into the current window.
void draw_step_memory(const Frame& frame, StepMemoryState& state);

}  // namespace headroom::ui
