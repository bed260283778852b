#include "ui/model_plan.hpp"

namespace headroom::ui {

void draw_model_plan(const Frame&, ModelPlanState&) {}

}  // namespace headroom::ui
