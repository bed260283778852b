#include "ui/preview.hpp"

namespace headroom::ui {

void draw_preview(const Frame&, PreviewState&) {}

}  // namespace headroom::ui
