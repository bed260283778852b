#include "ui/training.hpp"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "ui/dice_chart.hpp"
#include "ui/loss_chart.hpp"
#include "ui/peak_memory_chart.hpp"
#include "ui/step_time_chart.hpp"
#include "ui/training_figures.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kLeastChartHeight = 96;

using DrawChart = void (*)(const Frame&, const ChartPlace&);

/// Two charts under each other with a common left edge.
void draw_column(const Frame& frame, const char* name, const PixelBox& box, float gutter,
                 std::pair<const char*, DrawChart> upper, std::pair<const char*, DrawChart> lower) {
  const float middle = std::floor((box.min.y + box.max.y - gutter) / 2);
  const bool is_aligned = ImPlot::BeginAlignedPlots(name);
  upper.second(frame, {upper.first, box.min, {box.max.x, middle}});
  lower.second(frame, {lower.first, {box.min.x, middle + gutter}, box.max});
  if (is_aligned) ImPlot::EndAlignedPlots();
}

void draw_charts(const Frame& frame) {
  const float gutter_x = frame.px(frame.is_small() ? 20 : 28);
  const float gutter_y = frame.px(frame.is_small() ? 8 : 14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height = std::max(room.y, 2 * frame.px(kLeastChartHeight) + gutter_y);
  const float half = std::floor((room.x - gutter_x) / 2);
  draw_column(frame, "##left", {at, {at.x + half, at.y + height}}, gutter_y,
              {"training/loss", draw_loss_chart}, {"training/step_time", draw_step_time_chart});
  draw_column(frame, "##right", {{at.x + half + gutter_x, at.y}, {at.x + room.x, at.y + height}},
              gutter_y, {"training/dice", draw_dice_chart},
              {"training/peak_memory", draw_peak_memory_chart});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({std::max(1.0F, room.x), height});
}

}  // namespace

void draw_training(const Frame& frame, TrainingState& state) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), 0});
  draw_training_figures(frame, state.learning_rate);
  hairline(frame);
  ImGui::PopStyleVar();
  draw_charts(frame);
}

}  // namespace headroom::ui
