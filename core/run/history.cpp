#include "core/run/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::run {
namespace {

SeriesBucket bucket_of(std::int64_t step, double value) {
  SeriesBucket bucket{.first_step = step, .last_step = step, .first = value, .last = value};
  if (std::isfinite(value)) {
    bucket.low = bucket.high = bucket.sum = value;
    bucket.count = 1;
  } else {
    bucket.low = bucket.high = std::numeric_limits<double>::quiet_NaN();
  }
  return bucket;
}

/// `later` follows `earlier`.
SeriesBucket merged(const SeriesBucket& earlier, const SeriesBucket& later) {
  SeriesBucket both = earlier;
  both.last_step = later.last_step;
  both.last = later.last;
  // fmin and fmax take the number where one of the two is NaN.
  both.low = std::fmin(earlier.low, later.low);
  both.high = std::fmax(earlier.high, later.high);
  both.sum += later.sum;
  both.count += later.count;
  return both;
}

}  // namespace

void Series::add(std::int64_t step, double value) {
  const SeriesBucket added = bucket_of(step, value);
  if (!buckets_.empty() && values_in_last_ < values_per_bucket_) {
    buckets_.back() = merged(buckets_.back(), added);
    ++values_in_last_;
    return;
  }
  if (buckets_.size() == kBuckets) merge_neighbours();
  buckets_.push_back(added);
  values_in_last_ = 1;
}

void Series::merge_neighbours() {
  static_assert(kBuckets % 2 == 0);
  for (std::size_t i = 0; i < buckets_.size(); i += 2) {
    buckets_[i / 2] = merged(buckets_[i], buckets_[i + 1]);
  }
  buckets_.resize(buckets_.size() / 2);
  values_per_bucket_ *= 2;
}

void StepHistory::add(const StepReport& report) {
  loss.add(report.step, report.loss);
  learning_rate.add(report.step, report.learning_rate);
  step_seconds.add(report.step, report.total_seconds);
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    phase_seconds[phase].add(report.step, report.seconds[phase]);
  }
  peak_bytes.add(report.step, static_cast<double>(report.peak_bytes));
  peak_total_bytes.add(report.step, static_cast<double>(report.peak_total_bytes));
  reserved_bytes.add(report.step, static_cast<double>(report.reserved_bytes));
}

}  // namespace headroom::run
