#pragma once
// Policies and plans as plain values; torch-free, so that the dashboard, the planner and files
// share them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::plan {

/// What a stage does with the tensors that backward will need.
enum class Policy { keep, light, full, offload };
inline constexpr std::size_t kPolicies = 4;

[[nodiscard]] const char* name_of(Policy policy);
/// For people: "Keep", "Light", "Full", "Offload".
[[nodiscard]] const char* title_of(Policy policy);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<Policy>& policies);
/// Nothing thrown: false where `text` names no policy.
[[nodiscard]] bool parse_policy(const std::string& text, Policy& policy);

/// One policy per stage, in the order of the network's stages.
using Plan = std::vector<Policy>;

/// False for an empty plan.
[[nodiscard]] bool is_all_keep(const Plan& plan);

/// Reads "keep", "full", … (all stages) or "enc1=full,dec1=keep" (the rest keep) for the stages
/// named. Throws base::Error (usage) naming the text and the stage names it could have used. "auto"
/// is not a plan: the caller resolves it.
[[nodiscard]] Plan parse_plan(const std::string& text, const std::vector<std::string>& stages);
/// "keep" where all stages agree, else "enc1=full,dec1=full" with the stages that are not Keep.
[[nodiscard]] std::string to_string(const Plan& plan, const std::vector<std::string>& stages);

/// Names of the stages of a U-Net: enc1 … encN, decN-1 … dec1.
[[nodiscard]] std::vector<std::string> unet_stage_names(std::int64_t levels);

}  // namespace headroom::plan
