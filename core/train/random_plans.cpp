#include "core/train/random_plans.hpp"

#include <iterator>

#include "core/data/counter_random.hpp"

namespace headroom::train {

plan::Plan random_plan(const std::vector<plan::Policy>& policies, std::size_t stages,
                       std::int64_t seed, std::int64_t index) {
  data::CounterRandom random(seed, /*stream=*/1, index);
  plan::Plan plan;
  while (plan.size() < stages) {
    plan.push_back(policies[static_cast<std::size_t>(random.below(std::ssize(policies)))]);
  }
  return plan;
}

}  // namespace headroom::train
