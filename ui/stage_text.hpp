#pragma once
// What the panel Model & plan says about a stage, in words. Pure; any thread.

#include <string>

#include "core/plan/plan.hpp"
#include "ui/stage_facts.hpp"

namespace headroom::ui {

inline constexpr const char* kNotMeasured = "not measured yet";
inline constexpr const char* kNotOffered = "not available";

/// "enc3: Keep, 800 MiB, 64 ms"; without figures where there are none.
[[nodiscard]] std::string stage_line(const StageFacts& stage);
/// What another policy changes, of measurements in this run: "−400 MiB, +5 ms"; `with_time` false:
/// bytes alone. kNotMeasured where either side was not measured.
[[nodiscard]] std::string change_text(const StageFacts& stage, plan::Policy policy,
                                      bool with_time = true);
/// "measured at step 230"; empty where it was not.
[[nodiscard]] std::string measured_at_text(const StageFacts& stage, plan::Policy policy);
/// "1280 × 1280, 64 channels"; empty before the first step.
[[nodiscard]] std::string size_text(const StageFacts& stage);
/// Bytes that the policy in force keeps less than Keep; en dash for none or not known.
[[nodiscard]] std::string saved_text(const StageFacts& stage);

}  // namespace headroom::ui
