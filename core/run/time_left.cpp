#include "core/run/time_left.hpp"

#include <algorithm>
#include <vector>

namespace headroom::run {
namespace {

/// Of the last few buckets that the plan in force fills alone, or of the last one.
std::optional<double> recent_step_seconds(const RunSnapshot& snapshot) {
  constexpr std::size_t kRecent = 15;
  const std::int64_t first = snapshot.plan_marks.empty() ? 0 : snapshot.plan_marks.back().step;
  const std::vector<SeriesBucket>& buckets = snapshot.history.step_seconds.buckets();
  std::vector<double> seconds;
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend() && seconds.size() < kRecent;
       ++bucket) {
    if (bucket->first_step < first && !seconds.empty()) break;
    if (bucket->count > 0) seconds.push_back(bucket->sum / static_cast<double>(bucket->count));
  }
  if (seconds.empty()) return std::nullopt;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// One at every multiple of the cadence and one at the end; the one of the last step done may still
/// be to come.
std::int64_t validations_left(const RunSnapshot& snapshot) {
  const SessionFacts& facts = *snapshot.facts;
  const std::int64_t validated =
      snapshot.validations.empty() ? facts.last_validated_step : snapshot.validations.back().step;
  const std::int64_t done = snapshot.steps_done;
  const std::int64_t first = std::max(validated + 1, done);  // could still be validated
  if (first > facts.steps) return 0;
  if (facts.validate_every <= 0) return 1;
  const auto multiples_to = [&](std::int64_t step) { return step / facts.validate_every; };
  const std::int64_t at_cadence = multiples_to(facts.steps) - multiples_to(first - 1);
  return at_cadence + (facts.steps % facts.validate_every != 0 ? 1 : 0);
}

double mean_validation_seconds(const RunSnapshot& snapshot) {
  double sum = 0;
  for (const ValidationReport& report : snapshot.validations) sum += report.seconds;
  const auto count = static_cast<double>(snapshot.validations.size());
  return count > 0 ? sum / count : 0;
}

}  // namespace

std::optional<double> seconds_left(const RunSnapshot& snapshot) {
  if (is_at_rest(snapshot.state) || !snapshot.facts) return std::nullopt;
  const std::optional<double> step_seconds = recent_step_seconds(snapshot);
  if (!step_seconds) return std::nullopt;
  const auto steps =
      static_cast<double>(std::max<std::int64_t>(0, snapshot.facts->steps - snapshot.steps_done));
  return steps * *step_seconds +
         static_cast<double>(validations_left(snapshot)) * mean_validation_seconds(snapshot);
}

}  // namespace headroom::run
