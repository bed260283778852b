#include "ui/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::ui {
namespace {

double middle_of(const run::SeriesBucket& bucket) {
  return (static_cast<double>(bucket.first_step) + static_cast<double>(bucket.last_step)) / 2;
}

/// Steps to columns.
class Columns {
 public:
  Columns(double first, double last, int columns)
      : first_(first), per_step_(last > first ? std::max(1, columns) / (last - first) : 0) {}

  [[nodiscard]] std::int64_t of(double step) const {
    return static_cast<std::int64_t>(std::floor((step - first_) * per_step_));
  }

 private:
  double first_, per_step_;
};

}  // namespace

double mean_of(const run::SeriesBucket& bucket) {
  return bucket.count > 0 ? bucket.sum / static_cast<double>(bucket.count)
                          : std::numeric_limits<double>::quiet_NaN();
}

std::vector<CurvePoint> decimated(std::span<const run::SeriesBucket> buckets, double first,
                                  double last, int columns) {
  const Columns columns_of(first, last, columns);
  std::vector<CurvePoint> points;
  double sum = 0, begin = 0;
  std::int64_t count = 0, column = 0;
  for (const run::SeriesBucket& bucket : buckets) {
    if (bucket.count <= 0 || !std::isfinite(bucket.sum)) continue;
    const double middle = middle_of(bucket);
    if (points.empty() || columns_of.of(middle) != column) {
      points.push_back({.low = bucket.low, .high = bucket.high});
      column = columns_of.of(middle);
      sum = 0;
      count = 0;
      begin = middle;
    }
    sum += bucket.sum;
    count += bucket.count;
    CurvePoint& point = points.back();
    point.step = (begin + middle) / 2;
    point.low = std::min(point.low, bucket.low);
    point.high = std::max(point.high, bucket.high);
    point.mean = sum / static_cast<double>(count);
  }
  return points;
}

std::vector<StepValue> smoothed(std::span<const run::SeriesBucket> buckets,
                                const Smoothing& smoothing, double first, double last,
                                int columns) {
  const Columns columns_of(first, last, columns);
  const bool is_log = smoothing.scale == AxisScale::logarithmic;
  std::vector<StepValue> points;
  double sum = 0, weights = 0;
  std::int64_t column = 0;
  // Buckets but the last hold equally many values: one power serves nearly all.
  std::int64_t power_of = -1;
  double past = 0;
  for (const run::SeriesBucket& bucket : buckets) {
    const double mean = mean_of(bucket);
    if (!std::isfinite(mean) || (is_log && mean <= 0)) continue;
    if (bucket.count != power_of) {
      power_of = bucket.count;
      past = std::pow(std::clamp(smoothing.weight, 0.0, 0.999), static_cast<double>(power_of));
    }
    sum = past * sum + (1 - past) * (is_log ? std::log(mean) : mean);
    weights = past * weights + (1 - past);
    const double middle = middle_of(bucket);
    if (points.empty() || columns_of.of(middle) != column) points.emplace_back();
    column = columns_of.of(middle);
    points.back() = {middle, sum / weights};
  }
  if (is_log) {
    for (StepValue& point : points) point.value = std::exp(point.value);
  }
  return points;
}

const run::SeriesBucket* bucket_at(std::span<const run::SeriesBucket> buckets, std::int64_t step) {
  const auto after = std::ranges::upper_bound(buckets, step, {}, &run::SeriesBucket::first_step);
  return after == buckets.begin() ? nullptr : &*std::prev(after);
}

}  // namespace headroom::ui
