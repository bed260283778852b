#include "ui/step_values.hpp"

#include <algorithm>
#include <cmath>

#include "ui/curve.hpp"
#include "ui/number_text.hpp"

namespace headroom::ui {
namespace {

const run::ValidationReport* validation_at(const run::RunSnapshot& run, std::int64_t step) {
  const auto after =
      std::ranges::upper_bound(run.validations, step, {}, &run::ValidationReport::step);
  return after == run.validations.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

std::vector<ValueRow> values_at(const Frame& frame, std::int64_t step) {
  const run::StepHistory& history = frame.run.history;
  std::vector<ValueRow> rows;
  const auto add = [&](const run::Series& series, const char* label, auto text, ImVec4 colour) {
    const run::SeriesBucket* const bucket = bucket_at(series.buckets(), step);
    if (bucket == nullptr || bucket->last_step < step) return;
    rows.push_back({label, text(*bucket), colour});
  };
  const Theme& theme = frame.theme;
  add(
      history.loss, "training loss",
      [](const run::SeriesBucket& bucket) { return measured_text(mean_of(bucket)); }, theme.accent);
  if (const run::ValidationReport* const report = validation_at(frame.run, step)) {
    rows.push_back({"validation loss at " + count_text(report->step), measured_text(report->loss),
                    theme.policy[static_cast<std::size_t>(plan::Policy::full)]});
    rows.push_back({"mean Dice at " + count_text(report->step), measured_text(report->mean_dice),
                    theme.text1});
  }
  add(
      history.step_seconds, "step time",
      [](const run::SeriesBucket& bucket) { return time_text(mean_of(bucket)); },
      theme.phase[static_cast<std::size_t>(plan::Phase::backward)]);
  add(
      history.peak_total_bytes, "peak memory",
      [](const run::SeriesBucket& bucket) {
        return std::isfinite(bucket.high) && std::abs(bucket.high) < 9e18
                   ? bytes_text(static_cast<std::int64_t>(bucket.high))
                   : std::string(kNone);
      },
      theme.accent);
  add(history.learning_rate, "learning rate",
      [](const run::SeriesBucket& bucket) { return rate_text(mean_of(bucket)); }, {});
  return rows;
}

}  // namespace headroom::ui
