#include "app/network_costs.hpp"

#include <utility>

#include "app/fit_check.hpp"
#include "app/step_calibration.hpp"

namespace headroom::app {

plan::StepCosts measure_costs(const base::Settings& settings,
                              const run::CalibrationProgress& on_progress, std::stop_token stop) {
  return calibrate_step({.settings = settings, .on_progress = on_progress}, std::move(stop)).costs;
}

std::optional<plan::StepCosts> find_costs(const base::Settings& settings) {
  std::optional<StepCalibration> found = find_calibration({.settings = settings});
  if (!found) return std::nullopt;
  return std::move(found->costs);
}

std::optional<std::int64_t> measure_fit(const run::FitCheckRequest& request, std::stop_token stop) {
  const FitCheckRequest check{
      .settings = request.settings, .limits = request.limits, .costs = *request.costs};
  return peak_of_step(check, request.cell.shape, request.cell.cheapest.value().plan, stop);
}

}  // namespace headroom::app
