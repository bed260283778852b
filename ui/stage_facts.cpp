#include "ui/stage_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::ui {
namespace {

using plan::Policy;

/// What the program's networks can do before one is built.
constexpr std::array kPoliciesBeforeStart = {Policy::keep, Policy::light, Policy::full};

const run::StageReport* report_of(const run::RunSnapshot& run, std::size_t stage, bool is_head) {
  if (!run.last_step.has_value()) return nullptr;
  if (is_head) return &run.last_step->head;
  return stage < run.last_step->stages.size() ? &run.last_step->stages[stage] : nullptr;
}

void add_measurements(const run::RunSnapshot& run, std::size_t stage, StageFacts& facts) {
  const run::StageReport* const report = report_of(run, stage, facts.is_head);
  if (stage < run.stages.size()) facts.measured = run.stages[stage];
  if (const auto& keep = facts.under(Policy::keep)) facts.keep_bytes = keep->kept_bytes;
  if (report == nullptr) return;
  facts.channels = report->channels;
  facts.height = report->height;
  facts.width = report->width;
  facts.kept_bytes = report->kept_bytes;
  const auto& own = facts.under(report->policy);
  facts.seconds = own.has_value() ? own->seconds
                                  : report->forward_seconds + report->backward_seconds +
                                        report->recompute_seconds;
  if (report->policy == Policy::keep) facts.keep_bytes = report->kept_bytes;
  const std::int64_t peak = run.last_step->peak_total_bytes;
  if (peak > 0) {
    facts.share_of_peak = static_cast<double>(report->bytes_at_peak) / static_cast<double>(peak);
  }
  facts.is_peak = facts.name == run.last_step->peak_stage;
}

/// What the encoder hands over, by level: the output of its stages for one micro-batch.
std::vector<double> skip_bytes(const run::RunSnapshot& run, const NetworkFacts& network) {
  std::vector<double> bytes;
  if (!network.has_step || !run.request.has_value() || run.facts == nullptr) return bytes;
  const double element = run.facts->precision == "fp32" ? 4 : 2;
  const auto batch = static_cast<double>(run.request->settings.step.batch);
  for (std::size_t i = 0; 2 * i + 1 < network.plan_size(); ++i) {
    const StageFacts& stage = network.stages[i];
    bytes.push_back(static_cast<double>(stage.channels) * static_cast<double>(stage.height) *
                    static_cast<double>(stage.width) * batch * element);
  }
  return bytes;
}

/// Means of the last buckets with steps after `step` alone, without waiting for data.
std::vector<double> latest_step_seconds(const run::StepHistory& history, std::int64_t step) {
  constexpr std::size_t kMost = 8;
  const auto& whole = history.step_seconds.buckets();
  const auto& data = history.phase_seconds[static_cast<std::size_t>(plan::Phase::data)].buckets();
  std::vector<double> seconds;
  for (std::size_t i = std::min(whole.size(), data.size()); i-- > 0 && seconds.size() < kMost;) {
    if (whole[i].first_step <= step) break;
    if (whole[i].count <= 0) continue;
    const double mean = (whole[i].sum - data[i].sum) / static_cast<double>(whole[i].count);
    if (std::isfinite(mean)) seconds.push_back(mean);
  }
  return seconds;
}

/// "Keep and Full".
std::string titles_of(const std::vector<Policy>& policies) {
  std::string text;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (i > 0) text += i + 1 == policies.size() ? " and " : ", ";
    text += plan::title_of(policies[i]);
  }
  return text;
}

}  // namespace

std::int64_t StageFacts::outline_bytes() const {
  if (keep_bytes.has_value()) return *keep_bytes;
  std::int64_t most = kept_bytes.value_or(0);
  for (const auto& each : measured) {
    if (each.has_value()) most = std::max(most, each->kept_bytes);
  }
  return most;
}

std::int64_t StageFacts::solid_bytes() const {
  const auto& own = under(policy);
  return is_next && own.has_value() ? own->kept_bytes : kept_bytes.value_or(0);
}

plan::Plan NetworkFacts::plan() const {
  plan::Plan plan;
  for (std::size_t stage = 0; stage < plan_size(); ++stage) plan.push_back(stages[stage].policy);
  return plan;
}

bool NetworkFacts::offers(Policy policy) const {
  return policies.empty() || std::find(policies.begin(), policies.end(), policy) != policies.end();
}

std::string NetworkFacts::refusal_of(std::size_t stage, Policy policy) const {
  if (!refusal.empty()) return refusal;
  if (stage >= plan_size()) return "The head is always kept.";
  if (policies.empty()) return "The network is not known yet.";
  return offers(policy) ? std::string() : "This network trains with " + titles_of(policies) + ".";
}

std::vector<std::string> stage_names(const run::RunSnapshot& run) {
  if (run.facts != nullptr) return run.facts->stages;
  std::vector<std::string> names;
  if (run.last_step.has_value()) {
    for (const run::StageReport& stage : run.last_step->stages) names.push_back(stage.name);
  } else if (run.request.has_value()) {
    constexpr std::int64_t kMostLevels = 8;
    const std::int64_t levels = run.request->settings.model.levels;
    names = plan::unet_stage_names(std::clamp<std::int64_t>(levels, 2, kMostLevels));
  }
  return names;
}

bool is_before_start(const run::RunSnapshot& run) {
  return run.state == run::RunState::ready && run.request.has_value() && run.facts == nullptr;
}

NetworkFacts network_facts(const run::RunSnapshot& run, const plan::Plan& chosen) {
  NetworkFacts network;
  network.has_step = run.last_step.has_value();
  if (run.facts != nullptr) network.policies = run.facts->policies;
  if (is_before_start(run)) {
    network.policies.assign(kPoliciesBeforeStart.begin(), kPoliciesBeforeStart.end());
  } else if (const char* const why = run::refusal(run.state, run::Action::set_plan)) {
    network.refusal = why;
  }
  std::vector<std::string> names = stage_names(run);
  if (names.empty()) return network;
  names.emplace_back("head");
  const bool has_plan = run.applied_plan.size() + 1 == names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    StageFacts stage{.name = names[i], .is_head = i + 1 == names.size()};
    if (!stage.is_head && i < chosen.size()) stage.policy = chosen[i];
    stage.is_next = !stage.is_head && has_plan && stage.policy != run.applied_plan[i];
    add_measurements(run, i, stage);
    network.stages.push_back(std::move(stage));
  }
  network.skip_bytes = skip_bytes(run, network);
  return network;
}

std::optional<AllKeep> measured_all_keep(const run::RunSnapshot& run) {
  for (auto mark = run.plan_marks.rbegin(); mark != run.plan_marks.rend(); ++mark) {
    if (!mark->effect.has_value()) continue;
    const run::PlanMeasured& effect = *mark->effect;
    if (plan::is_all_keep(effect.after))
      return AllKeep{effect.peak_total_bytes_after, effect.step_seconds_after};
    if (plan::is_all_keep(effect.before))
      return AllKeep{effect.peak_total_bytes_before, effect.step_seconds_before};
  }
  return std::nullopt;
}

double plan_step_seconds(const run::RunSnapshot& run) {
  if (!run.last_step.has_value()) return 0;
  const run::PlanMark* const mark = run.plan_marks.empty() ? nullptr : &run.plan_marks.back();
  if (mark != nullptr && mark->effect.has_value() && mark->effect->after == run.last_step->plan)
    return mark->effect->step_seconds_after;
  // The first step under a plan pays for what the allocators have to rearrange.
  std::vector<double> seconds = latest_step_seconds(run.history, mark == nullptr ? 0 : mark->step);
  if (seconds.empty()) seconds = {run.last_step->seconds_without_data()};
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

}  // namespace headroom::ui
