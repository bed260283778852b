#pragma once
// What charts draw of a run's history: as many points as there are pixels, smoothed or with their
// lowest and highest values. Pure; any thread.

#include <cstdint>
#include <span>
#include <vector>

#include "core/run/history.hpp"

namespace headroom::ui {

/// Consecutive steps as one point.
struct CurvePoint {
  double step = 0;  ///< the middle of them
  double low = 0, high = 0, mean = 0;
};

/// One point per column of `columns` that part the steps first … last; steps without a finite value
/// have none.
[[nodiscard]] std::vector<CurvePoint> decimated(std::span<const run::SeriesBucket> buckets,
                                                double first, double last, int columns);

/// In which space values are averaged: as the axis shows them.
enum class AxisScale { linear, logarithmic };

struct StepValue {
  double step = 0;
  double value = 0;
};

/// Exponential mean in which a step weighs `weight` (0 … 0.999) times as much as the next one, from
/// its first step on (Kingma and Ba 2015, section 3: the sum is divided by the sum of weights). A
/// bucket of n steps weighs as n steps of its mean, so that merging buckets hardly moves the curve.
/// One point per column, the last.
struct Smoothing {
  double weight = 0.9;
  AxisScale scale = AxisScale::linear;
};
[[nodiscard]] std::vector<StepValue> smoothed(std::span<const run::SeriesBucket> buckets,
                                              const Smoothing& smoothing, double first, double last,
                                              int columns);

/// The bucket that holds `step`, or the nearest one before; null where there is none.
[[nodiscard]] const run::SeriesBucket* bucket_at(std::span<const run::SeriesBucket> buckets,
                                                 std::int64_t step);

/// Mean of the finite values of a bucket; NaN where it has none.
[[nodiscard]] double mean_of(const run::SeriesBucket& bucket);

}  // namespace headroom::ui
