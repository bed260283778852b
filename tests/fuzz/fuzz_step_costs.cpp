// A stored calibration: nothing, or costs that can be computed with and are the same after writing
// and reading.

#include <nlohmann/json.hpp>

#include "core/plan/cost_model.hpp"
#include "core/plan/step_costs_json.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  const nlohmann::json json = nlohmann::json::parse(fuzz::text_of(data, size), nullptr, false);
  if (json.is_discarded()) return 0;
  const auto costs = plan::step_costs_from_json(json);
  if (!costs) return 0;
  fuzz::require(plan::is_consistent(*costs));
  fuzz::require(plan::step_costs_from_json(nlohmann::json::parse(plan::to_json(*costs).dump())) ==
                costs);
  const plan::Plan keep(costs->stages.size(), plan::Policy::keep);
  (void)plan::predict(*costs, keep, {.step = 2 * 64 * 96, .image = 64 * 96});
  return 0;
}
