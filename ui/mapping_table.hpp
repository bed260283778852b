#pragma once
// The mask values of a data folder with what each becomes: to be read, and to be edited while no
// run is under way. Drawn into the current window; the UI thread.

#include <string>

#include "ui/data_state.hpp"

namespace headroom::ui {

/// Design pixels.
inline constexpr float kMappingHead = 24;

/// Height of one value, in pixels.
[[nodiscard]] float mapping_row(const Frame& frame);

/// In a box of pixels at the cursor, the head line included. `refusal` not empty: it cannot be
/// edited, and this is why.
void draw_mapping_table(const Frame& frame, DataState& state, const ImVec2& size,
                        const std::string& refusal);

}  // namespace headroom::ui
