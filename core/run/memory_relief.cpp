#include "core/run/memory_relief.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom::run {
namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kWorkNames = {"step", "validation", "save"};

Json json_of(const plan::StepForm& form) {
  return {{"plan", plan::names_of(form.plan)}, {"tiles_at_once", form.tiles_at_once}};
}

plan::StepForm form_of(const json& object) {
  plan::StepForm form;
  for (const json& name : object.at("plan")) {
    // A name that is no policy's reads as Keep: nothing is computed from it.
    plan::Policy policy = plan::Policy::keep;
    static_cast<void>(plan::parse_policy(name.get<std::string>(), policy));
    form.plan.push_back(policy);
  }
  object.at("tiles_at_once").get_to(form.tiles_at_once);
  return form;
}

}  // namespace

const char* name_of(RepeatedWork work) { return kWorkNames[static_cast<std::size_t>(work)]; }

Json to_json(const MemoryRelief& relief) {
  return {{"work", name_of(relief.work)},          {"step", relief.step},
          {"refused_bytes", relief.refused_bytes}, {"budget_bytes", relief.budget_bytes},
          {"before", json_of(relief.before)},      {"after", json_of(relief.after)}};
}

MemoryRelief memory_relief_of_json(const json& object) {
  MemoryRelief relief;
  const auto work = object.at("work").get<std::string>();
  for (std::size_t i = 0; i < kWorkNames.size(); ++i) {
    if (work == kWorkNames[i]) relief.work = static_cast<RepeatedWork>(i);
  }
  object.at("step").get_to(relief.step);
  object.at("refused_bytes").get_to(relief.refused_bytes);
  object.at("budget_bytes").get_to(relief.budget_bytes);
  relief.before = form_of(object.at("before"));
  relief.after = form_of(object.at("after"));
  return relief;
}

}  // namespace headroom::run
