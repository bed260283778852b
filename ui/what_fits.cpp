#include "ui/what_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/run/calibration.hpp"
#include "ui/calibration_state.hpp"
#include "ui/fit_grid.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/plan_request.hpp"
#include "ui/stage_facts.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kFooter = 34, kHairline = 21, kButton = 76;

/// What was checked of the map's cells, with the plans that these have now.
void add_checked(const Frame& frame, const run::FitForecast& fits,
                 std::vector<MeasuredFit>& measured) {
  if (frame.run.fit_checks.empty()) return;
  const std::string key = run::cost_key(settings_to_calibrate(frame));
  for (auto report = frame.run.fit_checks.rbegin(); report != frame.run.fit_checks.rend();
       ++report) {
    const plan::FitCell* const cell = cell_of(fits.map, report->shape);
    if (cell == nullptr || !cell->fits() || cell->cheapest->plan != report->plan ||
        report->cost_key != key || measured_of(measured, report->shape) != nullptr) {
      continue;
    }
    // More memory might be enough.
    const bool fits_now = report->peak_bytes.has_value();
    if (!fits_now && report->budget_bytes < fits.question.limits.budget_bytes) continue;
    measured.push_back(
        {.shape = report->shape, .peak_bytes = report->peak_bytes.value_or(0), .fits = fits_now});
  }
}

/// The run's own size, where steps of it ran, and what was checked.
std::vector<MeasuredFit> measured_fits(const Frame& frame, const run::FitForecast& fits,
                                       const plan::BatchShape& own) {
  std::vector<MeasuredFit> measured;
  if (frame.run.last_step.has_value() && frame.run.facts != nullptr) {
    const plan::FitCell* const cell = cell_of(fits.map, own);
    const bool is_cells_plan =
        cell != nullptr && cell->fits() && cell->cheapest->plan == frame.run.applied_plan;
    measured.push_back({.shape = own,
                        .peak_bytes = frame.run.last_step->peak_total_bytes,
                        .step_seconds = plan_step_seconds(frame.run),
                        .by_other_plan = !is_cells_plan});
  }
  add_checked(frame, fits, measured);
  return measured;
}

std::string facts_text(const plan::FitCell& cell, const MeasuredFit* measured) {
  if (!cell.fits()) {
    return cell.least_bytes.has_value()
               ? "does not fit: the least needs " + bytes_text(*cell.least_bytes)
               : std::string("does not fit");
  }
  if (measured != nullptr && !measured->fits)
    return "predicted to fit, but memory ran out: choose the next smaller size";
  if (measured != nullptr) {
    const std::string time =
        measured->step_seconds > 0 ? ", " + time_text(measured->step_seconds) + " a step" : "";
    return bytes_text(measured->peak_bytes) + " peak" + time + ", measured" +
           (measured->by_other_plan ? " with the run's plan" : "");
  }
  const plan::StepPrediction& predicted = cell.cheapest->predicted;
  return bytes_text(predicted.peak_total_bytes) + " peak, " +
         time_text(predicted.seconds_per_step) + " a step, predicted";
}

std::string check_refusal(const Frame& frame, const plan::FitCell& cell,
                          const MeasuredFit* measured) {
  if (!cell.fits()) return cell_refusal(frame, cell);
  if (const char* const refused = run::refusal(frame.run.state, run::Action::check_fit))
    return refused;
  if (frame.run.calibration.has_value() && frame.run.calibration->is_running())
    return "A calibration is under way.";
  const bool is_measured = measured != nullptr && !measured->by_other_plan;
  return is_measured ? "It was measured already." : "";
}

/// Verify, or Cancel while a check runs.
void draw_verify(const Frame& frame, const run::FitForecast& fits, const plan::FitCell& cell,
                 const MeasuredFit* measured) {
  if (frame.run.checked_fit.has_value()) {
    if (button(frame, "fits/cancel", "Cancel",
               {.width = kButton, .tooltip = "Steps of a size are running"}))
      frame.command(run::CancelMeasurement{});
    return;
  }
  const std::string refusal = check_refusal(frame, cell, measured);
  if (button(frame, "fits/verify", "Verify",
             {.width = kButton,
              .refusal = refusal,
              .tooltip = "Run steps of this size and plan under the budget"})) {
    frame.command(run::CheckFit{{.settings = settings_to_calibrate(frame),
                                 .cell = cell,
                                 .limits = fits.question.limits,
                                 .costs = fits.question.costs}});
  }
}

/// True when Use was pressed.
bool draw_footer(const Frame& frame, const run::FitForecast& fits, const plan::FitCell& cell,
                 const MeasuredFit* measured) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  constexpr float kGap = 8;
  const float room = std::max(1.0F, width - frame.px(2 * kButton + kGap + 12));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle title{.size = FontSize::kTable, .weight = Weight::semibold};
  const TextStyle words{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const std::string size = shape_text(cell.shape);
  const std::string facts = facts_text(cell, measured);
  draw_text(frame, list, at, elided(frame, size, title, room), title);
  draw_text(frame, list, {at.x, at.y + frame.px(18)}, elided(frame, facts, words, room), words);
  frame.record("fits/picked", at, {at.x + room, at.y + frame.px(kFooter)}, true,
               size + ": " + facts);
  const float right = at.x + width;
  ImGui::SetCursorScreenPos({right - frame.px(2 * kButton + kGap), at.y + frame.px(3)});
  draw_verify(frame, fits, cell, measured);
  ImGui::SetCursorScreenPos({right - frame.px(kButton), at.y + frame.px(3)});
  const std::string refusal = cell_refusal(frame, cell);
  const bool is_used =
      button(frame, "fits/use", "Use",
             {.icon = icon::kCheck,
              .width = kButton,
              .refusal = refusal,
              .tooltip = is_before_start(frame.run) ? "Take this batch, tile and plan for the run"
                                                    : "Train on with this plan"});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, frame.px(kFooter)});
  return is_used;
}

bool is_drawable(const run::FitForecast* fits) {
  return fits != nullptr && fits->question.costs != nullptr && !fits->map.cells.empty() &&
         fits->map.cells.size() == fits->map.batches.size() * fits->map.sides.size();
}

}  // namespace

void draw_what_fits(const Frame& frame, WhatFitsState& state, PlanEdit& edit) {
  const run::FitForecast* const fits = frame.shell.outlook.fits.get();
  if (!is_drawable(fits)) {
    draw_calibration_state(frame, "fits");
    return;
  }
  const plan::BatchShape own = planned_shape(frame);
  const plan::FitCell* picked = cell_of(fits->map, state.picked.has_value() ? *state.picked : own);
  if (picked == nullptr) picked = cell_of(fits->map, own);
  const FitGridContent content{
      .fits = *fits,
      .measured = measured_fits(frame, *fits, own),
      .chosen = picked == nullptr ? std::nullopt : std::optional(picked->shape)};
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float footer = picked == nullptr ? 0 : frame.px(kFooter + kHairline + 1);
  const float height = std::max(frame.px(80), room.y - footer);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const FitGridTouch touch = draw_fit_grid(frame, content, std::max(1.0F, room.x), height);
  if (touch.pressed != nullptr) state.picked = touch.pressed->shape;
  const bool has_footer = picked != nullptr && room.y >= frame.px(140);
  if (has_footer) {
    hairline(frame);
    if (draw_footer(frame, *fits, *picked, measured_of(content.measured, picked->shape)))
      request_cell(frame, edit, *picked);
  }
  if (touch.double_clicked != nullptr) request_cell(frame, edit, *touch.double_clicked);
  ImGui::PopStyleVar();
}

}  // namespace headroom::ui
