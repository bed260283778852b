#pragma once
// The charts of a run's report, drawn from its document. Pure; any thread.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headroom::run {

/// How the report's style calls the colour of class `id`; those of eight classes in a row differ.
[[nodiscard]] std::string class_style(std::size_t id);

/// `run` is one of the document's "runs". Each is an SVG, empty where it would show nothing.
[[nodiscard]] std::string loss_chart(const nlohmann::ordered_json& run);
[[nodiscard]] std::string dice_chart(const nlohmann::ordered_json& run);
[[nodiscard]] std::string step_time_chart(const nlohmann::ordered_json& run);
[[nodiscard]] std::string peak_memory_chart(const nlohmann::ordered_json& run);

}  // namespace headroom::run
