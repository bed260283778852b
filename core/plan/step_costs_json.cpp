#include "core/plan/step_costs_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::plan {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json json_of(const std::vector<Affine>& envelope) {
  ordered_json functions = ordered_json::array();
  for (const Affine& each : envelope) {
    functions.push_back({each.constant, each.per_pixel, each.per_image_pixel});
  }
  return functions;
}

ordered_json json_of(const std::vector<CostTable>& tables) {
  ordered_json array = ordered_json::array();
  for (const CostTable& table : tables) {
    ordered_json combinations = ordered_json::array();
    for (const auto& envelope : table.by_combination) combinations.push_back(json_of(envelope));
    array.push_back({{"stages", table.stages}, {"combinations", std::move(combinations)}});
  }
  return array;
}

// The readers throw json::exception where the value is of another kind.

std::int64_t integer_of(const json& number) {
  return number.get_ref<const json::number_integer_t&>();
}

std::vector<Affine> envelope_of(const json& functions) {
  std::vector<Affine> envelope;
  for (const json& each : functions.get_ref<const json::array_t&>()) {
    envelope.push_back({.constant = each.at(0).get<double>(),
                        .per_pixel = each.at(1).get<double>(),
                        .per_image_pixel = each.at(2).get<double>()});
  }
  return envelope;
}

std::vector<CostTable> tables_of(const json& array) {
  std::vector<CostTable> tables;
  for (const json& each : array.get_ref<const json::array_t&>()) {
    CostTable& table = tables.emplace_back();
    each.at("stages").get_to(table.stages);
    for (const json& functions : each.at("combinations").get_ref<const json::array_t&>()) {
      table.by_combination.push_back(envelope_of(functions));
    }
  }
  return tables;
}

std::optional<Phase> phase_of(const std::string& name) {
  const auto found = std::ranges::find(kPhaseNames, name);
  if (found == kPhaseNames.end()) return std::nullopt;
  return static_cast<Phase>(found - kPhaseNames.begin());
}

std::optional<std::vector<StepMoment>> moments_of(const json& array) {
  std::vector<StepMoment> moments;
  for (const json& each : array.get_ref<const json::array_t&>()) {
    const auto phase = phase_of(each.at("phase").get<std::string>());
    const std::int64_t owner = integer_of(each.at("owner"));
    if (!phase || owner < -1 || owner > static_cast<std::int64_t>(kMaxCostStages)) {
      return std::nullopt;
    }
    moments.push_back(
        {.phase = *phase, .owner = static_cast<int>(owner), .bytes = tables_of(each.at("bytes"))});
  }
  return moments;
}

std::optional<std::vector<Policy>> policies_of(const json& names) {
  std::vector<Policy> policies;
  for (const json& name : names.get_ref<const json::array_t&>()) {
    if (!parse_policy(name.get<std::string>(), policies.emplace_back())) return std::nullopt;
  }
  return policies;
}

std::optional<StepCosts> costs_of(const json& object) {
  if (integer_of(object.at("version")) != kStepCostsVersion) return std::nullopt;
  auto moments = moments_of(object.at("moments"));
  auto policies = policies_of(object.at("policies"));
  if (!moments || !policies) return std::nullopt;
  StepCosts costs;
  object.at("stages").get_to(costs.stages);
  costs.stride = integer_of(object.at("stride"));
  costs.policies = std::move(*policies);
  costs.moments = std::move(*moments);
  costs.seconds = tables_of(object.at("seconds"));
  costs.validation_bytes = envelope_of(object.at("validation_bytes"));
  if (!is_consistent(costs)) return std::nullopt;
  return costs;
}

}  // namespace

ordered_json to_json(const StepCosts& costs) {
  ordered_json moments = ordered_json::array();
  for (const StepMoment& moment : costs.moments) {
    moments.push_back({{"phase", name_of(moment.phase)},
                       {"owner", moment.owner},
                       {"bytes", json_of(moment.bytes)}});
  }
  return {{"version", kStepCostsVersion},
          {"stages", costs.stages},
          {"policies", names_of(costs.policies)},
          {"stride", costs.stride},
          {"moments", std::move(moments)},
          {"seconds", json_of(costs.seconds)},
          {"validation_bytes", json_of(costs.validation_bytes)}};
}

std::optional<StepCosts> step_costs_from_json(const json& object) {
  try {
    return costs_of(object);
  } catch (const json::exception&) {
    return std::nullopt;  // another shape than to_json's: there is nothing to read
  }
}

}  // namespace headroom::plan
