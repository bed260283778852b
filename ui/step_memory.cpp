#include "ui/step_memory.hpp"

namespace headroom::ui {

void draw_step_memory(const Frame&, StepMemoryState&) {}

}  // namespace headroom::ui
