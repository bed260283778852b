#pragma once
// Four cards for the selected stage, one for each policy: what is, and what each of the others
// would change as measured in this run. The UI thread.

#include <optional>

#include "core/plan/plan.hpp"
#include "ui/frame.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

/// At the cursor, over the window's width. The policy that was pressed.
[[nodiscard]] std::optional<plan::Policy> draw_stage_inspector(const Frame& frame,
                                                               const NetworkFacts& network,
                                                               std::size_t stage);

}  // namespace headroom::ui
