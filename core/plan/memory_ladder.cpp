#include "core/plan/memory_ladder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/rounding.hpp"

namespace headroom::plan {
namespace {

/// Everywhere the policy of the two that keeps less; they stand in that order.
Plan at_least(Plan plan, const Plan& rung) {
  for (std::size_t i = 0; i < plan.size(); ++i) plan[i] = std::max(plan[i], rung[i]);
  return plan;
}

Plan full_but_last(std::size_t stages) {
  Plan plan(stages, Policy::full);
  // In many networks the repeat of the last stage, at full resolution, is what the peak consists
  // of.
  if (!plan.empty()) plan.back() = Policy::light;
  return plan;
}

/// From cheap in time to cheap in memory.
std::vector<Plan> ladder(const MemoryRecord& record) {
  const std::size_t stages = record.wanted.size();
  const Plan mostly_full = full_but_last(stages);
  std::vector<Plan> plans = {record.wanted, at_least(record.wanted, Plan(stages, Policy::light)),
                             at_least(record.wanted, mostly_full),
                             at_least(record.wanted, Plan(stages, Policy::full)), mostly_full};
  std::erase_if(plans, [&](const Plan& plan) {
    return !std::ranges::all_of(plan, [&](Policy policy) {
      return std::ranges::find(record.policies, policy) != record.policies.end();
    });
  });
  return plans;
}

bool was_refused(const MemoryRecord& record, const StepForm& form) {
  return std::ranges::any_of(record.refused, [&](const FormBytes& refusal) {
    return refusal.form.plan == form.plan && refusal.form.tiles_at_once <= form.tiles_at_once;
  });
}

std::optional<std::int64_t> measured_bytes(const MemoryRecord& record, const StepForm& form) {
  const auto known = std::ranges::find(record.measured, form, &FormBytes::form);
  if (known == record.measured.end()) return std::nullopt;
  return known->bytes;
}

/// Steps of both were measured, and those of `form` needed as much as the one to be left.
bool is_known_to_save_nothing(const MemoryRecord& record, const StepForm& form) {
  const auto now = measured_bytes(record, record.refused.back().form);
  const auto then = measured_bytes(record, form);
  return now && then && *then >= *now;
}

bool can_be_trained(const MemoryRecord& record, std::int64_t tiles_at_once) {
  return record.batch / base::divide_up(record.batch, tiles_at_once) >= record.least_part;
}

}  // namespace

void put_last(std::vector<FormBytes>& known, FormBytes entry) {
  const auto before = std::ranges::find(known, entry.form, &FormBytes::form);
  if (before != known.end()) {
    entry.bytes = std::max(entry.bytes, before->bytes);
    known.erase(before);
  }
  known.push_back(std::move(entry));
}

std::optional<StepForm> next_on_ladder(const MemoryRecord& record) {
  const std::vector<Plan> plans = ladder(record);
  std::int64_t tiles = record.refused.back().form.tiles_at_once;
  while (can_be_trained(record, tiles)) {
    for (const Plan& plan : plans) {
      StepForm form{plan, tiles};
      if (!was_refused(record, form) && !is_known_to_save_nothing(record, form)) return form;
    }
    if (tiles == 1) break;
    tiles = (tiles + 1) / 2;
  }
  return std::nullopt;
}

}  // namespace headroom::plan
