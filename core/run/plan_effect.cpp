#include "core/run/plan_effect.hpp"

#include <algorithm>
#include <utility>

namespace headroom::run {

void PlanEffect::begin(const PlanMark& mark) {
  if (mark.number == 0) *this = {};
  // A plan with no step that counts is passed over: the one before it is compared with.
  if (!steps_.empty()) {
    before_ = mark_.form();
    steps_before_ = std::exchange(steps_, {});
  }
  mark_ = mark;
  had_first_step_ = false;
  is_told_ = false;
}

std::optional<PlanMeasured> PlanEffect::add(const StepReport& report) {
  if (!std::exchange(had_first_step_, true)) return std::nullopt;
  if (steps_.size() == kSteps) steps_.erase(steps_.begin());
  steps_.push_back({report.peak_total_bytes, report.seconds_without_data()});
  return steps_.size() == kSteps ? finish() : std::nullopt;
}

std::optional<PlanMeasured> PlanEffect::finish() {
  if (std::exchange(is_told_, true) || steps_before_.empty() || steps_.empty()) return std::nullopt;
  return PlanMeasured{.number = mark_.number,
                      .step = mark_.step,
                      .before = before_.plan,
                      .after = mark_.plan,
                      .tiles_at_once_before = before_.tiles_at_once,
                      .tiles_at_once_after = mark_.tiles_at_once,
                      .peak_total_bytes_before = highest_peak(steps_before_),
                      .peak_total_bytes_after = highest_peak(steps_),
                      .step_seconds_before = median_seconds(steps_before_),
                      .step_seconds_after = median_seconds(steps_)};
}

std::int64_t PlanEffect::highest_peak(const std::vector<Step>& steps) {
  return std::ranges::max_element(steps, {}, &Step::peak_total_bytes)->peak_total_bytes;
}

double PlanEffect::median_seconds(const std::vector<Step>& steps) {
  std::vector<double> seconds;
  for (const Step& step : steps) seconds.push_back(step.seconds);
  std::ranges::sort(seconds);
  return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

}  // namespace headroom::run
