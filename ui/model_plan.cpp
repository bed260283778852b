#include "ui/model_plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "ui/calibration_state.hpp"
#include "ui/outlook.hpp"
#include "ui/plan_chart.hpp"
#include "ui/plan_head.hpp"
#include "ui/plan_keys.hpp"
#include "ui/plan_request.hpp"
#include "ui/stage_facts.hpp"
#include "ui/stage_inspector.hpp"
#include "ui/stage_table.hpp"
#include "ui/u_view.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using plan::Policy;

void choose(const Frame& frame, const NetworkFacts& network, PlanEdit& edit, std::size_t stage,
            Policy policy) {
  if (network.refusal_of(stage, policy).empty()) request_plan(frame, edit.choose(stage, policy));
}

void cycle(const Frame& frame, const NetworkFacts& network, PlanEdit& edit, std::size_t stage) {
  choose(frame, network, edit, stage, next_policy(network.stages[stage].policy, network.policies));
}

/// The mouse may cross a narrow block between two frames.
void paint_crossed(const ULayout& layout, const ImVec2& origin, const ImVec2& from,
                   const ImVec2& to, PlanEdit& edit) {
  constexpr float kPiece = 3;
  constexpr int kMostPieces = 512;
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const int pieces = std::clamp(static_cast<int>(length / kPiece), 1, kMostPieces);
  for (int piece = 0; piece <= pieces; ++piece) {
    const float share = static_cast<float>(piece) / static_cast<float>(pieces);
    const ImVec2 at{from.x + (to.x - from.x) * share - origin.x,
                    from.y + (to.y - from.y) * share - origin.y};
    for (std::size_t i = 0; i < layout.blocks.size(); ++i) {
      const UBlock& block = layout.blocks[i];
      if (at.x >= block.area_min.x && at.x <= block.area_max.x && at.y >= block.area_min.y &&
          at.y <= block.area_max.y) {
        edit.paint(i);
      }
    }
  }
}

/// A press that is let go on its block is a click; one that is drawn over others paints them.
void follow_stroke(const Frame& frame, const NetworkFacts& network, const ULayout& layout,
                   const ImVec2& origin, const UTouch& touch, ModelPlanState& state) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (touch.pressed >= 0) {
    const auto stage = static_cast<std::size_t>(touch.pressed);
    const Policy next = next_policy(network.stages[stage].policy, network.policies);
    if (network.refusal_of(stage, next).empty()) state.edit.begin_stroke(stage, next);
    state.stroke_at = mouse;
  }
  if (!state.edit.is_stroking()) return;
  if (ImGui::IsMousePosValid(&mouse)) {
    if (mouse.x != state.stroke_at.x || mouse.y != state.stroke_at.y)
      paint_crossed(layout, origin, state.stroke_at, mouse, state.edit);
    state.stroke_at = mouse;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    state.edit.cancel_stroke();
  } else if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    request_plan(frame, state.edit.end_stroke());
  }
}

void open_menu(int stage, ModelPlanState& state) {
  if (stage < 0) return;
  state.menu.stage = stage;
  state.menu.should_open = true;
}

void draw_network(const Frame& frame, const NetworkFacts& network, ModelPlanState& state) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float panel_height = ImGui::GetWindowHeight() / frame.scale;
  const ULayout layout =
      u_layout_of(frame, network, width, u_height_scale(panel_height, frame.is_small()));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const UTouch touch =
      draw_u(frame, network, layout, origin, state.slides, state.edit.is_stroking());
  for (const int touched : {touch.pressed, touch.right_pressed, touch.activated}) {
    if (touched >= 0) frame.shared.selected_stage = touched;
  }
  follow_stroke(frame, network, layout, origin, touch, state);
  if (touch.activated >= 0)
    cycle(frame, network, state.edit, static_cast<std::size_t>(touch.activated));
  open_menu(touch.right_pressed, state);
  ImGui::SetCursorScreenPos(origin);
  // The line below brings room enough of its own.
  const float height = layout.height - ImGui::GetStyle().ItemSpacing.y;
  ImGui::Dummy({std::max(1.0F, width), std::max(1.0F, height)});
}

void draw_table(const Frame& frame, const NetworkFacts& network, ModelPlanState& state) {
  const TableTouch touch = draw_stage_table(frame, network);
  for (const int touched : {touch.selected, touch.cycled, touch.right_pressed}) {
    if (touched >= 0) frame.shared.selected_stage = touched;
  }
  if (touch.cycled >= 0) cycle(frame, network, state.edit, static_cast<std::size_t>(touch.cycled));
  open_menu(touch.right_pressed, state);
}

/// Returns by how much the budget was moved.
int follow_keys(const Frame& frame, const NetworkFacts& network, PlanEdit& edit) {
  const PlanKeys keys = read_plan_keys();
  const int last = static_cast<int>(network.stages.size()) - 1;
  int& selected = frame.shared.selected_stage;
  selected = std::clamp(selected + keys.move, 0, last);
  const auto stage = static_cast<std::size_t>(selected);
  if (keys.chosen.has_value()) choose(frame, network, edit, stage, *keys.chosen);
  if (keys.cycles) cycle(frame, network, edit, stage);
  if (keys.undoes && network.refusal.empty()) request_plan(frame, edit.undo());
  return keys.budget_steps;
}

/// The trade-off, or why there is none.
void draw_plans(const Frame& frame, ModelPlanState& state) {
  constexpr float kLeast = 104, kMost = 230, kSmallHeight = 150;
  const float room = ImGui::GetContentRegionAvail().y / frame.scale;
  const float height = frame.is_small() ? kSmallHeight : std::clamp(room - 2, kLeast, kMost);
  const run::PlanForecast* const forecast = forecast_for(frame.shell, state.edit.plan().size());
  state.budget.dragged_in_chart.reset();
  if (forecast == nullptr) {
    draw_calibration_state(frame, "plans", 110);
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const PlanChartTouch touch =
      draw_plan_chart(frame, {"plans/chart", at, {at.x + width, at.y + frame.px(height)}},
                      {.forecast = *forecast,
                       .measured = measured_plans(frame.run),
                       .budget_bytes = handle_bytes(frame, state.budget)},
                      plan_refusal(frame.run));
  if (touch.pressed.has_value()) request_plan(frame, state.edit.replace(*touch.pressed));
  state.budget.dragged_in_chart = touch.dragged_budget;
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, frame.px(height)});
}

void draw_head(const Frame& frame, const NetworkFacts& network, int budget_steps,
               ModelPlanState& state) {
  const PlanHeadTouch touch = draw_plan_head(frame, network, state.edit);
  if (touch.undoes) request_plan(frame, state.edit.undo());
  if (touch.fits)
    request_plan(frame, state.edit.replace(frame.shell.outlook.plans->cheapest->plan));
  draw_budget_bar(frame, network, state.edit, budget_steps, state.budget);
}

}  // namespace

void draw_model_plan(const Frame& frame, ModelPlanState& state) {
  const NetworkFacts network = network_facts(frame.run, state.edit.plan());
  if (network.stages.empty()) {
    text(frame, "The network appears here when a run is prepared.",
         {.size = FontSize::kTable, .colour = frame.theme.text3});
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, frame.px(8)});
  draw_head(frame, network, follow_keys(frame, network, state.edit), state);
  draw_policy_legend(frame);
  draw_network(frame, network, state);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  hairline(frame);
  const auto selected = static_cast<std::size_t>(
      std::clamp(frame.shared.selected_stage, 0, static_cast<int>(network.stages.size()) - 1));
  if (const std::optional<Policy> policy = draw_stage_inspector(frame, network, selected))
    choose(frame, network, state.edit, selected, *policy);
  hairline(frame);
  draw_table(frame, network, state);
  hairline(frame);
  draw_plans(frame, state);
  ImGui::PopStyleVar();
  if (const std::optional<Policy> policy = draw_policy_menu(frame, network, state.menu))
    choose(frame, network, state.edit, static_cast<std::size_t>(state.menu.stage), *policy);
}

}  // namespace headroom::ui
