#include "core/train/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/rounding.hpp"

namespace headroom::train {
namespace {

constexpr std::int64_t kDefaultEpochs = 100;
constexpr std::int64_t kDefaultMostSteps = 2000;
constexpr std::int64_t kLeastValidations = 10;
constexpr double kPolyPower = 0.9;

}  // namespace

RunLength run_length(const base::TrainSettings& settings, std::int64_t batches_per_epoch,
                     std::int64_t accumulate) {
  RunLength length;
  length.steps_per_epoch =
      std::max<std::int64_t>(1, base::divide_up(batches_per_epoch, accumulate));
  if (settings.steps > 0) {
    length.steps = settings.steps;
  } else if (settings.epochs > 0) {
    length.steps = settings.epochs * length.steps_per_epoch;
  } else {
    length.steps = std::min(kDefaultEpochs * length.steps_per_epoch, kDefaultMostSteps);
  }
  length.validate_every =
      settings.validate_every > 0
          ? settings.validate_every
          : std::min(length.steps_per_epoch, base::divide_up(length.steps, kLeastValidations));
  return length;
}

double learning_rate(const ScheduleOptions& schedule, std::int64_t step) {
  if (schedule.kind == base::ScheduleKind::constant) {
    return schedule.peak_rate;
  }
  const auto warmup_steps = std::llround(schedule.warmup * static_cast<double>(schedule.steps));
  if (step < warmup_steps) {
    return schedule.peak_rate * static_cast<double>(step + 1) / static_cast<double>(warmup_steps);
  }
  const auto falling_steps = std::max<std::int64_t>(1, schedule.steps - warmup_steps);
  const double progress =
      std::min(1.0, static_cast<double>(step - warmup_steps) / static_cast<double>(falling_steps));
  return schedule.kind == base::ScheduleKind::poly
             ? schedule.peak_rate * std::pow(1 - progress, kPolyPower)
             : schedule.peak_rate * 0.5 * (1 + std::cos(std::numbers::pi * progress));
}

}  // namespace headroom::train
