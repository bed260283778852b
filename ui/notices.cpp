#include "ui/notices.hpp"

namespace headroom::ui {

void draw_notices(const Frame&, NoticesState&) {}

}  // namespace headroom::ui
