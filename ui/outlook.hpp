#pragma once
// What is predicted, for the draw functions: asking for it, and finding in it what they show. The
// UI thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/cost_model.hpp"
#include "core/plan/fit_map.hpp"
#include "ui/frame.hpp"
#include "ui/request.hpp"

namespace headroom::ui {

/// Asks again when what the person looks at has changed.
class OutlookQuestion {
 public:
  /// Once a frame. `chosen`: the plan that counts for the person.
  void follow(const Frame& frame, const plan::Plan& chosen);

 private:
  std::optional<Foresee> asked_{};
};

/// The settings that count: of the run, with what was asked for and not taken yet. Null: no run is
/// configured.
[[nodiscard]] const base::Settings* planned_settings(const Frame& frame);
/// Those with what the data tells, for a calibration.
[[nodiscard]] base::Settings settings_to_calibrate(const Frame& frame);
/// A step of the run: tiles that are computed at once. All 0 where no run is configured.
[[nodiscard]] plan::BatchShape planned_shape(const Frame& frame);
/// The run's budget, or what it will be; 0: not known.
[[nodiscard]] std::int64_t planned_budget(const Frame& frame);

/// The forecast for a network of `stages` stages; null: there is none.
[[nodiscard]] const run::PlanForecast* forecast_for(const Shell& shell, std::size_t stages);
/// What `plan` is predicted to cost at the run's size; nothing where it was not asked about.
[[nodiscard]] std::optional<plan::StepPrediction> prediction_of(const Shell& shell,
                                                                const plan::Plan& plan);

/// What another policy of one stage is predicted to do to the step.
struct PredictedChange {
  std::int64_t peak_bytes = 0;  ///< more, or below 0 less
  double step_seconds = 0;
  bool exceeds_budget = false;  ///< where the plan as it is does not
};
/// "−400 MiB, +5 ms".
[[nodiscard]] std::string change_text(const PredictedChange& change);
/// Against `plan`; nothing where that is not the one that was asked about, or it was not measured.
[[nodiscard]] std::optional<PredictedChange> predicted_change(const Frame& frame,
                                                              const plan::Plan& plan,
                                                              std::size_t stage,
                                                              plan::Policy policy);

/// A plan that steps of this run were measured with.
struct MeasuredPlan {
  plan::Plan plan{};
  std::int64_t peak_bytes = 0;
  double step_seconds = 0;
};
/// Each plan once, as it was measured last; at most kMostMeasuredPlans, the latest first.
inline constexpr std::size_t kMostMeasuredPlans = 24;
[[nodiscard]] std::vector<MeasuredPlan> measured_plans(const run::RunSnapshot& run);

/// A run of steps under one plan, and what a step of it was predicted to cost.
struct PredictedSteps {
  std::int64_t first_step = 0, last_step = 0;
  plan::StepPrediction predicted{};
};
/// By the marks of the run, without those whose plan was not asked about; those of other parts of a
/// batch left out.
[[nodiscard]] std::vector<PredictedSteps> predicted_steps(const Frame& frame);

}  // namespace headroom::ui
