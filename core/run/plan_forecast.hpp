#pragma once
// What the plans of a network are predicted to cost at one size, as the dashboard shows it: the
// trade-off, the plan in question beside it, and why it costs what it does. Values and pure
// functions; any thread, long ones as a job.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/plan/cost_model.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/plan_explanation.hpp"
#include "core/plan/step_costs.hpp"
#include "core/plan/trade_off.hpp"

namespace headroom::run {

using SharedCosts = std::shared_ptr<const plan::StepCosts>;

struct ForecastQuestion {
  SharedCosts costs{};  ///< never null; the same pointer, the same costs
  plan::BatchShape shape{};
  plan::FitLimits limits{};
  /// The first is the one that is asked about; the others are predicted beside it.
  std::vector<plan::Plan> plans{};
};
[[nodiscard]] bool have_same_curve(const ForecastQuestion& a, const ForecastQuestion& b);
[[nodiscard]] bool have_same_map(const ForecastQuestion& a, const ForecastQuestion& b);
[[nodiscard]] bool are_equal(const ForecastQuestion& a, const ForecastQuestion& b);

/// What belongs to costs and size alone.
struct PlanCurve {
  plan::SizedCosts sized{};
  plan::TradeOff trade_off{};
  /// Of plans drawn at random, the same for the same costs: what the front is the front of.
  std::vector<plan::StepPrediction> others{};
  std::optional<plan::StepPrediction> all_keep{};
};

using PolicyPredictions = std::array<std::optional<plan::StepPrediction>, plan::kPolicies>;

struct PlanForecast {
  ForecastQuestion question{};
  std::shared_ptr<const PlanCurve> curve{};                      ///< never null
  std::optional<plan::PlanChoice> cheapest{};                    ///< that fits the limits
  std::vector<std::optional<plan::StepPrediction>> predicted{};  ///< of question.plans
  std::vector<plan::PolicyEffect> effects{};                     ///< of the first of the plans
  /// [stage][policy]: of the first plan with that stage given that policy.
  std::vector<PolicyPredictions> changed{};

  /// Of the plan that is asked about.
  [[nodiscard]] std::optional<plan::StepPrediction> asked() const {
    return predicted.empty() ? std::nullopt : predicted.front();
  }
  /// The lowest peak of any plan; nothing where none was measured.
  [[nodiscard]] std::optional<std::int64_t> least_bytes() const;
};

/// `before`: an earlier answer, whose curve is taken where it is of the same; may be null. Throws
/// base::Error (interrupted) when `stop` is requested.
[[nodiscard]] PlanForecast forecast_plans(const ForecastQuestion& question,
                                          const PlanForecast* before = nullptr,
                                          const std::stop_token& stop = {});

/// The point of a complete curve that a cell of the map has for these limits: the fastest that
/// keeps the margin free; where none does, that of the lowest peak, if it fits. Null: none fits.
[[nodiscard]] const plan::PlanChoice* best_within(const plan::TradeOff& curve,
                                                  const plan::FitLimits& limits);

/// The batches and sides that a map shows: 8 and 10, with those of `shape` among them, and sides
/// from small ones to the first that does not fit with batch 1. Throws as forecast_plans.
struct MapAxes {
  std::vector<std::int64_t> batches{}, sides{};
};
[[nodiscard]] MapAxes map_axes(const ForecastQuestion& question, const std::stop_token& stop = {});

/// What fits the question's limits.
struct FitForecast {
  ForecastQuestion question{};
  plan::FitMap map{};
};
[[nodiscard]] FitForecast forecast_fits(const ForecastQuestion& question,
                                        const std::stop_token& stop = {});

}  // namespace headroom::run
