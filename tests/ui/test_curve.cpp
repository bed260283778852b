// What charts draw of a history, against sums computed step by step.
#include "ui/curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headroom::ui {
namespace {

run::Series series_of(std::int64_t steps, double (*value)(std::int64_t step)) {
  run::Series series;
  for (std::int64_t step = 1; step <= steps; ++step) series.add(step, value(step));
  return series;
}

double saw(std::int64_t step) { return 1 + static_cast<double>(step % 10); }

TEST(Decimated, OfMoreStepsThanColumns_KeepsLowestHighestAndMean) {
  const run::Series series = series_of(1000, saw);
  const auto points = decimated(series.buckets(), 0, 1000, 50);
  ASSERT_LE(points.size(), 51U);
  ASSERT_GE(points.size(), 50U);
  EXPECT_EQ(points[7].low, 1);
  EXPECT_EQ(points[7].high, 10);
  EXPECT_NEAR(points[7].mean, 5.5, 1e-12);
}

TEST(Decimated, OfFewSteps_IsTheStepsThemselves) {
  const run::Series series = series_of(20, saw);
  const auto points = decimated(series.buckets(), 0, 20, 400);
  ASSERT_EQ(points.size(), 20U);
  for (std::int64_t step = 1; step <= 20; ++step) {
    const CurvePoint& point = points[static_cast<std::size_t>(step - 1)];
    EXPECT_EQ(point.step, static_cast<double>(step));
    EXPECT_EQ(point.mean, saw(step));
  }
}

TEST(Decimated, StepsWithoutAValue_HaveNoPoint) {
  run::Series series;
  series.add(1, 2.0);
  series.add(2, std::numeric_limits<double>::quiet_NaN());
  series.add(3, std::numeric_limits<double>::infinity());
  series.add(4, 4.0);
  const auto points = decimated(series.buckets(), 0, 4, 400);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].mean, 2.0);
  EXPECT_EQ(points[1].mean, 4.0);
}

TEST(Decimated, OfAnEmptySpanOfSteps_IsOnePoint) {
  const run::Series series = series_of(5, saw);
  EXPECT_EQ(decimated(series.buckets(), 3, 3, 0).size(), 1U);
  EXPECT_TRUE(decimated({}, 0, 1, 10).empty());
}

/// The definition: every value, weighted by `weight` to the power of its age.
double reference_mean(std::int64_t last, double weight, double (*value)(std::int64_t)) {
  double sum = 0, weights = 0;
  for (std::int64_t step = 1; step <= last; ++step) {
    const double own = std::pow(weight, static_cast<double>(last - step));
    sum += own * value(step);
    weights += own;
  }
  return sum / weights;
}

TEST(Smoothed, OfSingleSteps_IsTheWeightedMeanOfAllBefore) {
  const run::Series series = series_of(200, saw);
  const auto points = smoothed(series.buckets(), {.weight = 0.9}, 0, 200, 1000);
  ASSERT_EQ(points.size(), 200U);
  for (const std::int64_t step : {1, 2, 50, 200}) {
    EXPECT_NEAR(points[static_cast<std::size_t>(step - 1)].value, reference_mean(step, 0.9, saw),
                1e-9);
  }
}

TEST(Smoothed, WithoutSmoothing_IsTheValuesThemselves) {
  const run::Series series = series_of(30, saw);
  const auto points = smoothed(series.buckets(), {.weight = 0}, 0, 30, 1000);
  ASSERT_EQ(points.size(), 30U);
  EXPECT_EQ(points[12].value, saw(13));
}

double slope(std::int64_t step) { return 5 - 1e-4 * static_cast<double>(step); }

TEST(Smoothed, OfMergedBuckets_HardlyDiffersFromThatOfSteps) {
  // 10 000 steps are in buckets of eight.
  const run::Series series = series_of(10'000, slope);
  ASSERT_GE(series.values_per_bucket(), 5);
  const auto points = smoothed(series.buckets(), {.weight = 0.98}, 0, 10'000, 400);
  EXPECT_NEAR(points.back().value, reference_mean(10'000, 0.98, slope), 1e-3);
}

double decade(std::int64_t step) { return step % 2 == 0 ? 0.01 : 1; }

TEST(Smoothed, OnALogarithmicAxis_IsAMeanOfLogarithms) {
  const run::Series series = series_of(2000, decade);
  const auto points =
      smoothed(series.buckets(), {.weight = 0.99, .scale = AxisScale::logarithmic}, 0, 2000, 2000);
  EXPECT_NEAR(points.back().value, 0.1, 0.01);
}

TEST(Smoothed, WhatHasNoLogarithm_IsLeftOut) {
  run::Series series;
  series.add(1, -1);
  series.add(2, 0);
  series.add(3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(smoothed(series.buckets(), {.scale = AxisScale::logarithmic}, 0, 3, 100).empty());
}

TEST(BucketAt, AStep_IsInTheBucketThatHoldsIt) {
  const run::Series series = series_of(10'000, slope);
  const run::SeriesBucket* const bucket = bucket_at(series.buckets(), 4321);
  ASSERT_NE(bucket, nullptr);
  EXPECT_LE(bucket->first_step, 4321);
  EXPECT_GE(bucket->last_step, 4321);
  EXPECT_EQ(bucket_at(series.buckets(), 0), nullptr);
  EXPECT_EQ(bucket_at({}, 1), nullptr);
}

}  // namespace
}  // namespace headroom::ui
