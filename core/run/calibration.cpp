#include "core/run/calibration.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::run {
namespace {

/// Costs are functions of tile, batch and plan; neither budget nor seed changes them.
constexpr std::array<std::string_view, 5> kWithoutEffect = {"tile", "batch", "plan", "budget",
                                                            "seed"};
constexpr std::array<std::string_view, 3> kOfTraining = {"optimizer", "loss", "clip_norm"};

}  // namespace

bool decides_costs(const base::SettingRow& row) {
  if (std::ranges::count(kOfTraining, row.key) > 0) return true;
  const bool is_of_step =
      row.group == base::SettingGroup::model || row.group == base::SettingGroup::step;
  return is_of_step && std::ranges::count(kWithoutEffect, row.key) == 0;
}

base::Settings settings_of_costs(base::Settings settings, const base::DatasetSummary& dataset) {
  base::ModelSettings& model = settings.model;
  if (model.classes == 0) model.classes = static_cast<std::int64_t>(dataset.classes.size());
  if (model.channels == 0) model.channels = dataset.channels;
  return settings;
}

std::string cost_key(const base::Settings& settings) {
  std::string key;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (!decides_costs(row)) continue;
    key.append(row.key).append("=").append(base::text_of(settings, row)).append("\n");
  }
  return key;
}

}  // namespace headroom::run
