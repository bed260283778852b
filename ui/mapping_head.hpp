#pragma once
// The line over the table of mask values: what was found, and what can be done with the mapping:
// undo, apply, save, propose anew. Drawn into the current window; the UI thread.

#include <string>

#include "ui/data_state.hpp"

namespace headroom::ui {

inline constexpr float kMappingTitle = 36;  ///< design pixels

/// At the cursor, over `width` pixels. `refusal` not empty: nothing can be edited, and this is why.
void draw_mapping_head(const Frame& frame, DataState& state, float width,
                       const std::string& refusal);

}  // namespace headroom::ui
