#include "ui/plan_request.hpp"

#include <utility>

#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {
namespace {

void set_plan(const Frame& frame, run::RunRequest& request, const plan::Plan& plan) {
  request.settings.step.plan = plan::to_string(plan, stage_names(frame.run));
  request.plan_is_given = true;
}

}  // namespace

void request_plan(const Frame& frame, std::optional<plan::Plan> plan) {
  if (!plan.has_value()) return;
  if (!is_before_start(frame.run)) {
    frame.command(run::SetPlan{.plan = std::move(*plan)});
    return;
  }
  run::RunRequest request = frame.shared.request_edit.latest(frame.run);
  set_plan(frame, request, *plan);
  frame.command(frame.shared.request_edit.ask(std::move(request)));
}

std::string plan_refusal(const run::RunSnapshot& run) {
  if (is_before_start(run)) return {};
  const char* const refused = run::refusal(run.state, run::Action::set_plan);
  return refused == nullptr ? std::string() : refused;
}

void request_budget(const Frame& frame, PlanEdit& edit, std::int64_t budget_bytes,
                    const plan::Plan* plan) {
  run::RunRequest request = frame.shared.request_edit.latest(frame.run);
  request.settings.step.budget_bytes = budget_bytes;
  if (plan != nullptr) {
    static_cast<void>(edit.replace(*plan));
    set_plan(frame, request, *plan);
  }
  frame.command(frame.shared.request_edit.ask(std::move(request)));
}

std::string cell_refusal(const Frame& frame, const plan::FitCell& cell) {
  if (!cell.fits()) {
    if (!cell.least_bytes.has_value()) return "It does not fit.";
    return "It does not fit: the plan of the lowest peak needs " + bytes_text(*cell.least_bytes) +
           ".";
  }
  if (cell.cheapest->plan.size() != stage_names(frame.run).size())
    return "It was predicted for another network.";
  if (is_before_start(frame.run)) return {};
  if (cell.shape != planned_shape(frame)) {
    return run::is_at_rest(frame.run.state)
               ? "The run is over: begin a new one to change its tile and batch."
               : "A run is under way: it keeps its tile and batch.";
  }
  return plan_refusal(frame.run);
}

void request_cell(const Frame& frame, PlanEdit& edit, const plan::FitCell& cell) {
  if (!cell_refusal(frame, cell).empty()) return;
  const plan::Plan& plan = cell.cheapest->plan;
  if (!is_before_start(frame.run)) {
    request_plan(frame, edit.replace(plan));
    return;
  }
  static_cast<void>(edit.replace(plan));
  run::RunRequest request = frame.shared.request_edit.latest(frame.run);
  request.settings.step.tile_height = cell.shape.height;
  request.settings.step.tile_width = cell.shape.width;
  request.settings.step.batch = cell.shape.batch;
  set_plan(frame, request, plan);
  frame.command(frame.shared.request_edit.ask(std::move(request)));
}

}  // namespace headroom::ui
