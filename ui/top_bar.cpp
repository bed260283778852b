#include "ui/top_bar.hpp"

namespace headroom::ui {

float top_bar_height(const Frame& frame) { return frame.is_small() ? 48 : 56; }

void draw_top_bar(const Frame&) {}

}  // namespace headroom::ui
