#pragma once
// The small menu of a stage's policies, opened by the right mouse button. The UI thread.

#include <optional>

#include "core/plan/plan.hpp"
#include "ui/frame.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

/// Kept from frame to frame.
struct PolicyMenuState {
  int stage = -1;            ///< whose menu it is
  bool should_open = false;  ///< set to open it with the next draw
};

/// To be called in every frame, in one window. The policy that was chosen for `state.stage`.
[[nodiscard]] std::optional<plan::Policy> draw_policy_menu(const Frame& frame,
                                                           const NetworkFacts& network,
                                                           PolicyMenuState& state);

}  // namespace headroom::ui
