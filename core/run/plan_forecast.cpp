#include "core/run/plan_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

namespace headroom::run {
namespace {

constexpr std::size_t kOtherPlans = 400;
constexpr std::size_t kMapSides = 10;

std::vector<plan::StepPrediction> random_predictions(const plan::SizedCosts& costs) {
  std::mt19937_64 random(1);
  std::vector<plan::StepPrediction> found;
  if (costs.policies.empty()) return found;
  for (std::size_t i = 0; i < kOtherPlans; ++i) {
    plan::Plan plan;
    for (std::size_t stage = 0; stage < costs.stages; ++stage) {
      plan.push_back(costs.policies[random() % costs.policies.size()]);
    }
    if (const auto predicted = plan::predict(costs, plan)) found.push_back(*predicted);
  }
  return found;
}

std::shared_ptr<const PlanCurve> curve_of(const ForecastQuestion& question,
                                          const std::stop_token& stop) {
  PlanCurve curve;
  curve.sized =
      plan::costs_at(*question.costs, plan::pixels_of(question.shape, question.costs->stride));
  curve.trade_off = plan::trade_off(curve.sized, {}, stop);
  curve.others = random_predictions(curve.sized);
  curve.all_keep = plan::predict(curve.sized, plan::Plan(curve.sized.stages, plan::Policy::keep));
  return std::make_shared<const PlanCurve>(std::move(curve));
}

std::optional<plan::PlanChoice> cheapest_of(const ForecastQuestion& question,
                                            const PlanCurve& curve, const std::stop_token& stop) {
  if (!curve.trade_off.complete)
    return plan::fit_cell(*question.costs, question.shape, question.limits, stop).cheapest;
  const plan::PlanChoice* const best = best_within(curve.trade_off, question.limits);
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::vector<PolicyPredictions> changed_plans(const plan::SizedCosts& costs, plan::Plan plan) {
  std::vector<PolicyPredictions> changed(plan.size());
  for (std::size_t stage = 0; stage < plan.size(); ++stage) {
    const plan::Policy own = plan[stage];
    for (const plan::Policy policy : costs.policies) {
      plan[stage] = policy;
      changed[stage][static_cast<std::size_t>(policy)] = plan::predict(costs, plan);
    }
    plan[stage] = own;
  }
  return changed;
}

/// Ascending; the one that is nearest to `wanted` by ratio becomes it.
void let_contain(std::vector<std::int64_t>& values, std::int64_t wanted) {
  if (wanted <= 0 || values.empty()) return;
  const auto nearest = std::ranges::min_element(values, {}, [&](std::int64_t value) {
    return std::abs(std::log(static_cast<double>(value) / static_cast<double>(wanted)));
  });
  *nearest = wanted;
}

/// Sides that people choose, as multiples of the stride.
std::vector<std::int64_t> usual_sides(std::int64_t stride) {
  std::vector<std::int64_t> sides;
  for (const std::int64_t side :
       {64,   96,   128,  192,  256,  320,  384,  512,  640,  768,  896,   1024,  1280,  1536,
        1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384}) {
    if (side % stride == 0) sides.push_back(side);
  }
  return sides;
}

}  // namespace

plan::FitLimits forecast_limits(std::int64_t budget_bytes) {
  constexpr std::int64_t kMarginDivisor = 200;
  return {.budget_bytes = budget_bytes, .margin_bytes = budget_bytes / kMarginDivisor};
}

bool have_same_curve(const ForecastQuestion& a, const ForecastQuestion& b) {
  return a.costs == b.costs && a.shape == b.shape;
}

bool have_same_map(const ForecastQuestion& a, const ForecastQuestion& b) {
  return have_same_curve(a, b) && a.limits.budget_bytes == b.limits.budget_bytes &&
         a.limits.reserve_bytes == b.limits.reserve_bytes &&
         a.limits.margin_bytes == b.limits.margin_bytes && a.limits.max_side == b.limits.max_side;
}

bool are_equal(const ForecastQuestion& a, const ForecastQuestion& b) {
  return have_same_map(a, b) && a.plans == b.plans;
}

std::optional<std::int64_t> PlanForecast::least_bytes() const {
  const auto& points = curve->trade_off.points;
  return points.empty() ? std::nullopt : std::optional(points.front().predicted.peak_total_bytes);
}

PlanForecast forecast_plans(const ForecastQuestion& question, const PlanForecast* before,
                            const std::stop_token& stop) {
  PlanForecast forecast{.question = question};
  const bool has_curve = before != nullptr && have_same_curve(before->question, question);
  forecast.curve = has_curve ? before->curve : curve_of(question, stop);
  const PlanCurve& curve = *forecast.curve;
  forecast.cheapest = cheapest_of(question, curve, stop);
  for (const plan::Plan& plan : question.plans) {
    forecast.predicted.push_back(plan::predict(curve.sized, plan));
  }
  if (forecast.asked()) {
    forecast.effects = plan::policy_effects(curve.sized, question.plans.front());
    forecast.changed = changed_plans(curve.sized, question.plans.front());
  }
  return forecast;
}

const plan::PlanChoice* best_within(const plan::TradeOff& curve, const plan::FitLimits& limits) {
  const auto peak_of = [](const plan::PlanChoice& point) {
    return point.predicted.peak_total_bytes;
  };
  const std::vector<plan::PlanChoice>& points = curve.points;
  const auto above =
      std::ranges::upper_bound(points, limits.usable_bytes() - limits.margin_bytes, {}, peak_of);
  if (above != points.begin()) return &*std::prev(above);
  const bool fits = !points.empty() && peak_of(points.front()) <= limits.usable_bytes();
  return fits ? &points.front() : nullptr;
}

MapAxes map_axes(const ForecastQuestion& question, const std::stop_token& stop) {
  MapAxes axes{.batches = {1, 2, 3, 4, 6, 8, 12, 16}};
  const std::vector<std::int64_t> usual = usual_sides(question.costs->stride);
  const auto largest = plan::largest_square(*question.costs, 1, question.limits, stop);
  const std::int64_t most = std::max(largest ? largest->shape.width : 0, question.shape.width);
  const auto beyond = std::ranges::upper_bound(usual, most);
  const std::size_t end = std::min(
      usual.size(),
      std::max<std::size_t>(kMapSides, static_cast<std::size_t>(beyond - usual.begin()) + 1));
  const std::size_t begin = end > kMapSides ? end - kMapSides : 0;
  axes.sides.assign(usual.begin() + static_cast<std::ptrdiff_t>(begin),
                    usual.begin() + static_cast<std::ptrdiff_t>(end));
  let_contain(axes.batches, question.shape.batch);
  if (question.shape.width == question.shape.height) let_contain(axes.sides, question.shape.width);
  return axes;
}

FitForecast forecast_fits(const ForecastQuestion& question, const std::stop_token& stop) {
  const MapAxes axes = map_axes(question, stop);
  return {.question = question,
          .map = plan::fit_map(*question.costs, axes.batches, axes.sides, question.limits, stop)};
}

}  // namespace headroom::run
