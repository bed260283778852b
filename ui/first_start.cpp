#include "ui/first_start.hpp"

namespace headroom::ui {

void draw_first_start(const Frame&, FirstStartState&) {}

}  // namespace headroom::ui
