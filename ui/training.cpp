#include "ui/training.hpp"

namespace headroom::ui {

void draw_training(const Frame&, TrainingState&) {}

}  // namespace headroom::ui
