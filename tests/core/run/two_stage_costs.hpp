// Costs of a network of two stages that can be computed by hand. Of 100 pixels:
//   policies   peak   seconds
//   keep keep   600   200 us
//   keep full   500   250 us
//   full keep   300   300 us
//   full full   200   350 us
#pragma once

#include <memory>

#include "core/plan/step_costs.hpp"

namespace headroom::tests {

inline std::shared_ptr<const plan::StepCosts> two_stage_costs() {
  const auto per_pixel = [](double value) {
    return std::vector<plan::Affine>{{.per_pixel = value}};
  };
  plan::StepCosts costs;
  costs.stages = {"enc1", "dec1"};
  costs.policies = {plan::Policy::keep, plan::Policy::full};
  costs.moments = {{.phase = plan::Phase::backward,
                    .owner = 1,
                    .bytes = {{.stages = {0}, .by_combination = {per_pixel(4), per_pixel(1)}},
                              {.stages = {1}, .by_combination = {per_pixel(2), per_pixel(1)}}}}};
  costs.seconds = {{.stages = {0}, .by_combination = {per_pixel(1e-6), per_pixel(2e-6)}},
                   {.stages = {1}, .by_combination = {per_pixel(1e-6), per_pixel(1.5e-6)}}};
  return std::make_shared<const plan::StepCosts>(std::move(costs));
}

}  // namespace headroom::tests
