#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/plan/step_costs_json.hpp"
#include "tests/core/plan/synthetic_costs.hpp"

namespace headroom::plan {
namespace {

using nlohmann::json;

StepCosts some_costs() {
  std::mt19937_64 random(1);
  return tests::unet_costs({.levels = 3, .policies = 3}, random);
}

TEST(IsConsistent, EveryKindOfContradiction_IsNoticed) {
  using Break = std::function<void(StepCosts&)>;
  const std::vector<std::pair<const char*, Break>> breaks = {
      {"no policies", [](StepCosts& c) { c.policies.clear(); }},
      {"keep not first", [](StepCosts& c) { std::swap(c.policies[0], c.policies[1]); }},
      {"policy twice", [](StepCosts& c) { c.policies[2] = Policy::light; }},
      {"too many stages", [](StepCosts& c) { c.stages.resize(kMaxCostStages + 1); }},
      {"stride", [](StepCosts& c) { c.stride = 0; }},
      {"owner below", [](StepCosts& c) { c.moments[0].owner = -2; }},
      {"owner above", [](StepCosts& c) { c.moments[0].owner = 6; }},
      {"unknown stage", [](StepCosts& c) { c.seconds[0].stages[0] = 5; }},
      {"stages fall",
       [](StepCosts& c) {
         c.moments[0].bytes[1].stages = {1, 0};
       }},
      {"stage twice",
       [](StepCosts& c) {
         c.moments[0].bytes[1].stages = {1, 1};
       }},
      {"combination missing", [](StepCosts& c) { c.seconds[0].by_combination.pop_back(); }},
      {"combination too many", [](StepCosts& c) { c.seconds[0].by_combination.emplace_back(); }},
      {"no combination", [](StepCosts& c) { c.seconds[0].by_combination.clear(); }},
      {"too many tables", [](StepCosts& c) { c.seconds.resize(kMaxCostTables + 1, c.seconds[0]); }},
      {"not finite",
       [](StepCosts& c) {
         c.seconds[0].by_combination[0][0].constant = std::numeric_limits<double>::quiet_NaN();
       }},
      {"validation not finite",
       [](StepCosts& c) {
         c.validation_bytes[0].per_pixel = std::numeric_limits<double>::infinity();
       }},
  };
  EXPECT_TRUE(is_consistent(some_costs()));
  for (const auto& [name, break_it] : breaks) {
    StepCosts costs = some_costs();
    break_it(costs);
    EXPECT_FALSE(is_consistent(costs)) << name;
  }
}

TEST(IsConsistent, MoreCombinationsThanFitANumber_AreNone) {
  StepCosts costs;
  costs.stages.resize(kMaxCostStages);
  costs.policies = {Policy::keep, Policy::light, Policy::full, Policy::offload};
  CostTable& table = costs.seconds.emplace_back();
  for (std::size_t i = 0; i < kMaxCostStages; ++i) table.stages.push_back(i);
  EXPECT_FALSE(is_consistent(costs));  // 4 to the 32nd is 0 in 64 bits
}

TEST(IsComplete, OneCombinationThatWasNotMeasured_IsNoticed) {
  StepMoment moment = some_costs().moments.at(0);
  EXPECT_TRUE(is_complete(moment));
  moment.bytes.at(1).by_combination.at(2).clear();
  EXPECT_FALSE(is_complete(moment));
}

TEST(StepCostsJson, WrittenAndReadAsText_IsTheSame) {
  std::mt19937_64 random(5);
  EXPECT_EQ(step_costs_from_json(json::parse(to_json(some_costs()).dump())), some_costs());
  for (std::size_t stages = 0; stages < 7; ++stages) {
    const StepCosts costs = tests::arbitrary_costs(stages, 1 + stages % 4, random);
    ASSERT_TRUE(is_consistent(costs));
    EXPECT_EQ(step_costs_from_json(json::parse(to_json(costs).dump())), costs);
  }
}

TEST(StepCostsJson, OtherVersion_IsNotRead) {
  json object = to_json(some_costs());
  ASSERT_TRUE(step_costs_from_json(object));
  object["version"] = kStepCostsVersion + 1;
  EXPECT_FALSE(step_costs_from_json(object));
}

TEST(StepCostsJson, EveryValueReplacedByAnother_IsNoCrash) {
  const json object = json(to_json(some_costs()));
  const json flat = object.flatten();
  const std::vector<json> others = {nullptr, true, -1, 1e300, "x", json::array(), json::object()};
  int tried = 0, refused = 0;
  // Every value deep inside, and below all containers at the top too.
  for (const auto& [pointer, value] : flat.items()) {
    for (const json& other : others) {
      json changed = object;
      changed[json::json_pointer(pointer)] = other;
      ++tried;
      if (!step_costs_from_json(changed)) ++refused;
    }
    if (tried > 4000) break;
  }
  EXPECT_GT(refused, tried / 2);
  for (const auto& [key, value] : object.items()) {
    for (const json& other : others) {
      json changed = object;
      changed[key] = other;
      const auto read = step_costs_from_json(changed);
      // No table and no moment at all are costs too.
      const bool may_be_empty =
          other.is_array() && (key == "moments" || key == "seconds" || key == "validation_bytes");
      EXPECT_EQ(read.has_value(), may_be_empty) << key << " " << other;
    }
    json without = object;
    without.erase(key);
    EXPECT_FALSE(step_costs_from_json(without)) << key;
  }
  for (const json& other : others) EXPECT_FALSE(step_costs_from_json(other)) << other;
}

}  // namespace
}  // namespace headroom::plan
