#pragma once
// Scores by class and their means, as a table and as JSON: what trainings and evaluations tell
// alike. Pure.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/run/session.hpp"

namespace headroom::app {

struct ClassScores {
  std::vector<run::ClassScore> classes{};
  double mean_iou = 0, mean_dice = 0;
};

/// A row for each class and one for the mean.
[[nodiscard]] std::string score_table(const ClassScores& scores);

/// Keys "mean_iou", "mean_dice" and "classes"; what is no number is null.
[[nodiscard]] nlohmann::ordered_json to_json(const ClassScores& scores);

}  // namespace headroom::app
