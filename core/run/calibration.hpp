#pragma once
// What the program around a run can find out about the costs of a step, and for which settings the
// answer holds. Values and function types; core/train measures, app puts it together.

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/dataset_summary.hpp"
#include "core/base/settings.hpp"
#include "core/base/settings_schema.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::run {

/// `steps`: run so far.
using CalibrationProgress = std::function<void(std::int64_t steps)>;

/// Measures what a step of the settings' network costs on this machine. Worker thread; calls the
/// progress there. Throws base::Error; kind interrupted when stop was requested.
using CalibrationFunction = std::function<plan::StepCosts(
    const base::Settings&, const CalibrationProgress&, std::stop_token)>;

/// What was measured earlier for the settings' network; nothing where nothing was. Any thread.
using FindCostsFunction = std::function<std::optional<plan::StepCosts>(const base::Settings&)>;

/// The settings with the classes and channels that the data has, where they leave them to it: what
/// the network of a run will be.
[[nodiscard]] base::Settings settings_of_costs(base::Settings settings,
                                               const base::DatasetSummary& dataset);

/// Whether the costs of a step depend on this setting: tile, batch, plan, budget, seed and what has
/// no part in a step change nothing.
[[nodiscard]] bool decides_costs(const base::SettingRow& row);

/// Equal texts, equal costs on one machine: the settings that decide them.
[[nodiscard]] std::string cost_key(const base::Settings& settings);

}  // namespace headroom::run
