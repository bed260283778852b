#include "app/network_costs.hpp"

#include <utility>

#include "core/train/calibration.hpp"
#include "models/unet.hpp"

namespace headroom::app {

plan::StepCosts measure_costs(const base::Settings& settings,
                              const run::CalibrationProgress& on_progress, std::stop_token stop) {
  return train::calibrate({.settings = settings, .on_progress = on_progress}, models::make_model,
                          std::move(stop))
      .costs;
}

}  // namespace headroom::app
