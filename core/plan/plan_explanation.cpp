#include "core/plan/plan_explanation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"

namespace headroom::plan {
namespace {

/// Less than this is noise of the measurement, and shown as 0 ms.
constexpr double kLeastSeconds = 0.0005;

}  // namespace

std::vector<PolicyEffect> policy_effects(const SizedCosts& costs, const Plan& plan) {
  std::vector<PolicyEffect> effects;
  const auto with = predict(costs, plan);
  if (!with) return effects;
  for (std::size_t stage = 0; stage < plan.size(); ++stage) {
    if (plan[stage] == Policy::keep) continue;
    Plan at_keep = plan;
    at_keep[stage] = Policy::keep;
    const auto without = predict(costs, at_keep);
    if (!without) continue;
    effects.push_back({.stage = stage,
                       .policy = plan[stage],
                       .saved_bytes = without->peak_total_bytes - with->peak_total_bytes,
                       .added_seconds = with->seconds_per_step - without->seconds_per_step});
  }
  return effects;
}

std::string place_text(Phase phase, int owner, const std::vector<std::string>& stages) {
  const std::string name = name_of(phase);
  if (owner < 0) return name;
  const auto stage = static_cast<std::size_t>(owner);
  return name + " of " + (stage < stages.size() ? stages[stage] : "the head");
}

std::string effect_sentence(const PolicyEffect& effect, const std::vector<std::string>& stages) {
  const std::string name = fmt::format("{} {}", stages.at(effect.stage), title_of(effect.policy));
  const std::string bytes = base::format_bytes(std::abs(effect.saved_bytes));
  const std::string time = base::format_duration(std::abs(effect.added_seconds));
  const bool slower = effect.added_seconds >= kLeastSeconds;
  const bool faster = effect.added_seconds <= -kLeastSeconds;
  if (effect.saved_bytes > 0) {
    if (slower) return fmt::format("{} saves {} for {}", name, bytes, time);
    if (faster) return fmt::format("{} saves {} and {}", name, bytes, time);
    return fmt::format("{} saves {} at no cost in time", name, bytes);
  }
  const std::string memory = effect.saved_bytes < 0 ? fmt::format("raises the peak by {}", bytes)
                                                    : "leaves the peak as it is";
  if (slower) return fmt::format("{} {} and costs {}", name, memory, time);
  if (faster) return fmt::format("{} {} and saves {}", name, memory, time);
  return fmt::format("{} {}", name, memory);
}

}  // namespace headroom::plan
