#include "ui/outlook.hpp"

#include <algorithm>
#include <utility>

#include "core/run/calibration.hpp"
#include "ui/number_text.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {
namespace {

bool are_equal(const Foresee& a, const Foresee& b) {
  return a.cost_key == b.cost_key && a.shape == b.shape && a.budget_bytes == b.budget_bytes &&
         a.plans == b.plans;
}

/// As the settings have it on a processor; steady, though the memory that is free changes.
std::int64_t automatic_budget(const MachineFacts& machine) {
  constexpr std::int64_t kStep = std::int64_t{1} << 28;
  return machine.memory_free_bytes / 10 * 7 / kStep * kStep;
}

void add(std::vector<MeasuredPlan>& plans, MeasuredPlan measured) {
  const bool is_there = std::ranges::any_of(
      plans, [&](const MeasuredPlan& each) { return each.plan == measured.plan; });
  if (!is_there && measured.peak_bytes > 0 && plans.size() < kMostMeasuredPlans)
    plans.push_back(std::move(measured));
}

}  // namespace

const base::Settings* planned_settings(const Frame& frame) {
  if (!frame.run.request.has_value()) return nullptr;
  return &frame.shared.request_edit.latest(frame.run).settings;
}

base::Settings settings_to_calibrate(const Frame& frame) {
  const base::Settings* const settings = planned_settings(frame);
  if (settings == nullptr) return {};
  if (frame.run.facts != nullptr)
    return run::settings_of_costs(*settings, frame.run.facts->dataset);
  if (frame.shell.data != nullptr)
    return run::settings_of_costs(*settings, frame.shell.data->summary);
  return run::settings_of_costs(*settings, {});
}

plan::BatchShape planned_shape(const Frame& frame) {
  const base::Settings* const settings = planned_settings(frame);
  if (settings == nullptr) return {.batch = 0};
  const std::int64_t parts =
      frame.run.plan_marks.empty() ? 0 : frame.run.plan_marks.back().tiles_at_once;
  return {.batch = parts > 0 ? parts : settings->step.batch,
          .height = settings->step.tile_height,
          .width = settings->step.tile_width};
}

std::int64_t planned_budget(const Frame& frame) {
  if (frame.run.facts != nullptr) return std::max<std::int64_t>(0, frame.run.facts->budget_bytes);
  const base::Settings* const settings = planned_settings(frame);
  if (settings != nullptr && settings->step.budget_bytes > 0) return settings->step.budget_bytes;
  return automatic_budget(frame.shell.machine);
}

const run::PlanForecast* forecast_for(const Shell& shell, std::size_t stages) {
  const run::PlanForecast* const forecast = shell.outlook.plans.get();
  if (forecast == nullptr || forecast->curve == nullptr || forecast->question.costs == nullptr)
    return nullptr;
  return forecast->curve->sized.stages == stages ? forecast : nullptr;
}

std::optional<plan::StepPrediction> prediction_of(const Shell& shell, const plan::Plan& plan) {
  const run::PlanForecast* const forecast = forecast_for(shell, plan.size());
  if (forecast == nullptr) return std::nullopt;
  const std::vector<plan::Plan>& asked = forecast->question.plans;
  for (std::size_t i = 0; i < std::min(asked.size(), forecast->predicted.size()); ++i) {
    if (asked[i] == plan) return forecast->predicted[i];
  }
  return std::nullopt;
}

std::string change_text(const PredictedChange& change) {
  return short_bytes_change_text(change.peak_bytes) + ", " + time_change_text(change.step_seconds);
}

std::optional<PredictedChange> predicted_change(const Frame& frame, const plan::Plan& plan,
                                                std::size_t stage, plan::Policy policy) {
  const run::PlanForecast* const forecast = forecast_for(frame.shell, plan.size());
  if (forecast == nullptr || stage >= forecast->changed.size()) return std::nullopt;
  const std::vector<plan::Plan>& asked = forecast->question.plans;
  if (asked.empty() || asked.front() != plan || !forecast->asked().has_value()) return std::nullopt;
  const auto& changed = forecast->changed[stage][static_cast<std::size_t>(policy)];
  if (!changed.has_value()) return std::nullopt;
  const plan::StepPrediction now = *forecast->asked();
  const std::int64_t budget = planned_budget(frame);
  return PredictedChange{.peak_bytes = changed->peak_total_bytes - now.peak_total_bytes,
                         .step_seconds = changed->seconds_per_step - now.seconds_per_step,
                         .exceeds_budget = budget > 0 && changed->peak_total_bytes > budget &&
                                           now.peak_total_bytes <= budget};
}

std::vector<MeasuredPlan> measured_plans(const run::RunSnapshot& run) {
  std::vector<MeasuredPlan> plans;
  if (run.last_step.has_value())
    add(plans, {run.last_step->plan, run.last_step->peak_total_bytes, plan_step_seconds(run)});
  for (auto mark = run.plan_marks.rbegin(); mark != run.plan_marks.rend(); ++mark) {
    if (!mark->effect.has_value()) continue;
    const run::PlanMeasured& effect = *mark->effect;
    // Steps in smaller parts are another size.
    if (effect.tiles_at_once_after != run.plan_marks.back().tiles_at_once) continue;
    add(plans, {effect.after, effect.peak_total_bytes_after, effect.step_seconds_after});
    if (effect.tiles_at_once_before != effect.tiles_at_once_after) continue;
    add(plans, {effect.before, effect.peak_total_bytes_before, effect.step_seconds_before});
  }
  return plans;
}

std::vector<PredictedSteps> predicted_steps(const Frame& frame) {
  std::vector<PredictedSteps> steps;
  const std::vector<run::PlanMark>& marks = frame.run.plan_marks;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool is_last = i + 1 == marks.size();
    const std::int64_t end =
        is_last ? std::max(frame.run.steps_done, marks[i].step) : marks[i + 1].step;
    if (marks[i].tiles_at_once != marks.back().tiles_at_once) continue;
    if (const auto predicted = prediction_of(frame.shell, marks[i].plan))
      steps.push_back({marks[i].step, end, *predicted});
  }
  return steps;
}

void OutlookQuestion::follow(const Frame& frame, const plan::Plan& chosen) {
  // What is asked while the program ends is not heard.
  if (frame.shell.is_closing) return;
  const plan::BatchShape shape = planned_shape(frame);
  if (shape.batch <= 0 || shape.height <= 0 || shape.width <= 0 || chosen.empty()) return;
  Foresee question{.settings = settings_to_calibrate(frame),
                   .shape = shape,
                   .budget_bytes = planned_budget(frame),
                   .plans = {chosen}};
  question.cost_key = run::cost_key(question.settings);
  for (MeasuredPlan& measured : measured_plans(frame.run)) {
    if (measured.plan != chosen) question.plans.push_back(std::move(measured.plan));
  }
  if (asked_.has_value() && are_equal(*asked_, question)) return;
  asked_ = question;
  frame.request(std::move(question));
}

}  // namespace headroom::ui
