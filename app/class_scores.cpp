#include "app/class_scores.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/text.hpp"

namespace headroom::app {
namespace {

using Json = nlohmann::ordered_json;

Json score_or_null(double score) { return std::isnan(score) ? Json() : Json(score); }

}  // namespace

std::string score_table(const ClassScores& scores) {
  std::vector<std::vector<std::string>> rows = {{"class", "IoU", "Dice"}};
  for (const run::ClassScore& score : scores.classes)
    rows.push_back({score.name, format_score(score.iou), format_score(score.dice)});
  rows.push_back({"mean", format_score(scores.mean_iou), format_score(scores.mean_dice)});
  return format_table(rows);
}

Json to_json(const ClassScores& scores) {
  Json classes = Json::array();
  for (const run::ClassScore& score : scores.classes)
    classes.push_back({{"name", score.name},
                       {"iou", score_or_null(score.iou)},
                       {"dice", score_or_null(score.dice)}});
  return {{"mean_iou", score_or_null(scores.mean_iou)},
          {"mean_dice", score_or_null(scores.mean_dice)},
          {"classes", std::move(classes)}};
}

}  // namespace headroom::app
