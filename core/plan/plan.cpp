#include "core/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::plan {
namespace {

constexpr auto kAllPolicies =
    std::to_array<Policy>({Policy::keep, Policy::light, Policy::full, Policy::offload});

[[noreturn]] void refuse(const std::string& text, const std::string& problem,
                         const std::vector<std::string>& stages) {
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "reading the plan",
       .subject = base::display_text(fmt::format("\"{}\": {}", text, problem)),
       .remedy = fmt::format("Give keep, light, full or STAGE=POLICY,… with the stages {}",
                             fmt::join(stages, ", "))});
}

/// The parts of `text` between commas, empty ones included.
std::vector<std::string> entries_of(const std::string& text) {
  std::vector<std::string> entries;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    entries.push_back(text.substr(begin, comma == std::string::npos ? comma : comma - begin));
    if (comma == std::string::npos) return entries;
    begin = comma + 1;
  }
}

}  // namespace

const char* name_of(Policy policy) {
  switch (policy) {
    case Policy::keep:
      return "keep";
    case Policy::light:
      return "light";
    case Policy::full:
      return "full";
    case Policy::offload:
      return "offload";
  }
  return "";
}

std::vector<std::string> names_of(const std::vector<Policy>& policies) {
  std::vector<std::string> names;
  for (const Policy policy : policies) names.emplace_back(name_of(policy));
  return names;
}

const char* title_of(Policy policy) {
  constexpr std::array<const char*, kPolicies> kTitles = {"Keep", "Light", "Full", "Offload"};
  return kTitles[static_cast<std::size_t>(policy)];
}

bool parse_policy(const std::string& text, Policy& policy) {
  for (const Policy each : kAllPolicies) {
    if (text == name_of(each)) {
      policy = each;
      return true;
    }
  }
  return false;
}

bool is_all_keep(const Plan& plan) {
  return !plan.empty() && std::ranges::count(plan, Policy::keep) == std::ssize(plan);
}

Plan parse_plan(const std::string& text, const std::vector<std::string>& stages) {
  Policy everywhere{};
  if (parse_policy(text, everywhere)) return Plan(stages.size(), everywhere);

  Plan plan(stages.size(), Policy::keep);
  std::set<std::string> seen;
  for (const std::string& entry : entries_of(text)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) {
      refuse(text, fmt::format("\"{}\" is neither a policy for all stages nor STAGE=POLICY", entry),
             stages);
    }
    const std::string name = entry.substr(0, equals);
    const auto stage = std::find(stages.begin(), stages.end(), name);
    if (stage == stages.end()) {
      refuse(text, fmt::format("there is no stage \"{}\"", name), stages);
    }
    if (!seen.insert(name).second) {
      refuse(text, fmt::format("the stage \"{}\" stands there twice", name), stages);
    }
    const std::string policy = entry.substr(equals + 1);
    if (!parse_policy(policy, plan[static_cast<std::size_t>(stage - stages.begin())])) {
      refuse(text, fmt::format("there is no policy \"{}\"", policy), stages);
    }
  }
  return plan;
}

std::string to_string(const Plan& plan, const std::vector<std::string>& stages) {
  if (plan.empty()) return name_of(Policy::keep);
  if (std::all_of(plan.begin(), plan.end(), [&](Policy each) { return each == plan.front(); })) {
    return name_of(plan.front());
  }
  std::string text;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i] == Policy::keep) continue;
    if (!text.empty()) text += ',';
    text += stages.at(i) + '=' + name_of(plan[i]);
  }
  return text;
}

std::vector<std::string> unet_stage_names(std::int64_t levels) {
  std::vector<std::string> names;
  for (std::int64_t level = 1; level <= levels; ++level)
    names.push_back(fmt::format("enc{}", level));
  for (std::int64_t level = levels - 1; level >= 1; --level) {
    names.push_back(fmt::format("dec{}", level));
  }
  return names;
}

}  // namespace headroom::plan
