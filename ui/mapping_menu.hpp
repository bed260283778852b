#pragma once
// The menu in which a mask value gets its class. The UI thread.

#include "ui/data_state.hpp"

namespace headroom::ui {

/// In the window in which the menu is drawn. `at`: its upper left corner, in pixels.
void open_mapping_menu(DataState& state, const base::MaskKey& key, const ImVec2& at);

/// Nothing while it is closed.
void draw_mapping_menu(const Frame& frame, DataState& state);

}  // namespace headroom::ui
