#include "ui/log.hpp"

namespace headroom::ui {

void draw_log(const Frame&, LogState&) {}

}  // namespace headroom::ui
