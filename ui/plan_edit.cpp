#include "ui/plan_edit.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {
namespace {

/// Snapshots come at least this often while a run publishes.
constexpr double kSecondsToCatchUp = 0.5;
/// A request that the run has not taken by then was lost or overruled.
constexpr double kSecondsToGiveUp = 1;
constexpr std::int64_t kStepsToGiveUp = 2;

/// As the settings have it; all Keep where they leave it to the budget or name no plan.
plan::Plan configured_plan(const run::RunRequest& request, const std::vector<std::string>& stages) {
  if (request.settings.step.plan != "auto") {
    try {
      return plan::parse_plan(request.settings.step.plan, stages);
    } catch (const base::Error&) {
      // The settings' field says what is wrong with it when the run is to start.
      return plan::Plan(stages.size(), plan::Policy::keep);
    }
  }
  return plan::Plan(stages.size(), plan::Policy::keep);
}

}  // namespace

plan::Plan plan_of(const run::RunSnapshot& run) {
  const std::vector<std::string> names = stage_names(run);
  const std::size_t stages = names.empty() ? run.requested_plan.size() : names.size();
  if (is_before_start(run)) return configured_plan(*run.request, names);
  if (run.requested_plan.size() == stages) return run.requested_plan;
  if (run.applied_plan.size() == stages) return run.applied_plan;
  if (run.facts != nullptr && run.facts->plan.size() == stages) return run.facts->plan;
  if (run.facts == nullptr && run.request.has_value() && !names.empty())
    return configured_plan(*run.request, names);
  return plan::Plan(stages, plan::Policy::keep);
}

plan::Policy next_policy(plan::Policy policy, const std::vector<plan::Policy>& policies) {
  for (std::size_t step = 1; step < plan::kPolicies; ++step) {
    const auto next =
        static_cast<plan::Policy>((static_cast<std::size_t>(policy) + step) % plan::kPolicies);
    if (std::find(policies.begin(), policies.end(), next) != policies.end()) return next;
  }
  return policy;
}

void PlanEdit::observe(const run::RunSnapshot& run, double seconds) {
  now_ = seconds;
  steps_done_ = run.steps_done;
  has_steps_ = !is_before_start(run);
  plan::Plan taken = plan_of(run);
  const std::filesystem::path folder =
      run.request.has_value() ? run.request->run_folder : std::filesystem::path();
  if (taken.size() != taken_.size() || folder != run_folder_) {
    asked_.clear();
    undo_.clear();
    stroke_.reset();
  } else {
    forget_taken(taken);
  }
  if (!is_before_start(run) && run::refusal(run.state, run::Action::set_plan) != nullptr) {
    asked_.clear();
    stroke_.reset();
  }
  taken_ = std::move(taken);
  run_folder_ = folder;
}

void PlanEdit::forget_taken(const plan::Plan& taken) {
  if (asked_.empty()) return;
  if (taken != taken_) {
    const auto found = std::find(asked_.begin(), asked_.end(), taken);
    if (found != asked_.end()) asked_.erase(asked_.begin(), found + 1);
  } else if (taken == asked_.back() && now_ - asked_at_ > kSecondsToCatchUp) {
    // There and back between two snapshots.
    asked_.clear();
  }
  const bool had_steps = !has_steps_ || steps_done_ >= asked_after_step_ + kStepsToGiveUp;
  if (now_ - asked_at_ > kSecondsToGiveUp && had_steps) {
    asked_.clear();
  }
}

const plan::Plan& PlanEdit::last_asked() const { return asked_.empty() ? taken_ : asked_.back(); }

const plan::Plan& PlanEdit::plan() const {
  return stroke_.has_value() ? stroke_->plan : last_asked();
}

std::optional<plan::Plan> PlanEdit::ask(plan::Plan plan) {
  if (plan == last_asked()) return std::nullopt;
  asked_.push_back(plan);
  asked_at_ = now_;
  asked_after_step_ = steps_done_;
  return plan;
}

std::optional<plan::Plan> PlanEdit::choose(std::size_t stage, plan::Policy policy) {
  begin_stroke(stage, policy);
  return end_stroke();
}

std::optional<plan::Plan> PlanEdit::undo() {
  stroke_.reset();
  while (!undo_.empty()) {
    plan::Plan before = std::move(undo_.back());
    undo_.pop_back();
    if (before.size() != taken_.size()) continue;
    if (std::optional<plan::Plan> asked = ask(std::move(before))) return asked;
  }
  return std::nullopt;
}

void PlanEdit::begin_stroke(std::size_t stage, plan::Policy policy) {
  stroke_ = Stroke{.plan = last_asked(), .policy = policy};
  paint(stage);
}

void PlanEdit::paint(std::size_t stage) {
  if (stroke_.has_value() && stage < stroke_->plan.size()) stroke_->plan[stage] = stroke_->policy;
}

std::optional<plan::Plan> PlanEdit::end_stroke() {
  if (!stroke_.has_value()) return std::nullopt;
  return replace(std::exchange(stroke_, std::nullopt)->plan);
}

std::optional<plan::Plan> PlanEdit::replace(plan::Plan plan) {
  stroke_.reset();
  if (plan.size() != taken_.size()) return std::nullopt;
  plan::Plan before = last_asked();
  std::optional<plan::Plan> asked = ask(std::move(plan));
  if (asked.has_value()) {
    if (undo_.size() == kUndoSteps) undo_.erase(undo_.begin());
    undo_.push_back(std::move(before));
  }
  return asked;
}

}  // namespace headroom::ui
