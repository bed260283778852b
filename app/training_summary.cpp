#include "app/training_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/class_scores.hpp"
#include "app/text.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/io_error.hpp"
#include "core/run/log_text.hpp"

namespace headroom::app {
namespace {

using Json = nlohmann::ordered_json;

std::string size_text(const base::DatasetSummary& summary) {
  const std::string smallest = fmt::format("{}x{}", summary.min_height, summary.min_width);
  const std::string largest = fmt::format("{}x{}", summary.max_height, summary.max_width);
  return smallest == largest ? smallest : fmt::format("{} to {}", smallest, largest);
}

double sum_of(const run::Series& series) {
  double sum = 0;
  for (const run::SeriesBucket& bucket : series.buckets()) sum += bucket.sum;
  return sum;
}

std::int64_t highest_of(const run::Series& series) {
  double highest = 0;
  for (const run::SeriesBucket& bucket : series.buckets()) highest = std::max(highest, bucket.high);
  return std::llround(highest);
}

/// Null when nothing was validated.
const run::ValidationReport* best_validation(const run::RunSnapshot& snapshot) {
  const auto& all = snapshot.validations;
  const auto best = std::find_if(
      all.rbegin(), all.rend(), [](const run::ValidationReport& report) { return report.is_best; });
  return best == all.rend() ? nullptr : &*best;
}

ClassScores scores_of(const run::ValidationReport& report) {
  return {.classes = report.classes, .mean_iou = report.mean_iou, .mean_dice = report.mean_dice};
}

std::string phases_text(const run::StepHistory& history) {
  std::string text;
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    const double seconds = sum_of(history.phase_seconds[phase]);
    if (seconds <= 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plan::kPhaseNames[phase],
                        base::format_duration(seconds));
  }
  return text;
}

/// What of the run's usual contents is there, by the key of result_to_json.
std::vector<std::pair<std::string, std::filesystem::path>> result_files(
    const std::filesystem::path& folder) {
  const std::vector<std::pair<std::string, std::filesystem::path>> usual = {
      {"best_model", folder / "model_best.safetensors"},
      {"last_model", folder / "model_last.safetensors"},
      {"state", folder / "state_last"},
      {"results", folder / "results.csv"},
      {"steps", folder / "steps.csv"},
      {"previews", folder / "previews"}};
  std::vector<std::pair<std::string, std::filesystem::path>> found;
  std::copy_if(usual.begin(), usual.end(), std::back_inserter(found),
               [](const auto& entry) { return std::filesystem::exists(entry.second); });
  return found;
}

Json scores_to_json(const run::ValidationReport& report) {
  Json scores = {{"step", report.step}};
  scores.update(to_json(scores_of(report)));
  return scores;
}

}  // namespace

std::string describe_classes(const base::DatasetSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {"class", "name", "mask values", "images", "pixels"}};
  double all_pixels = static_cast<double>(summary.ignored_pixels);
  for (const base::ClassSummary& entry : summary.classes)
    all_pixels += static_cast<double>(entry.pixels);
  const auto share = [all_pixels](std::int64_t pixels) {
    return fmt::format("{:.2f} %",
                       all_pixels > 0 ? 100.0 * static_cast<double>(pixels) / all_pixels : 0.0);
  };
  for (const base::ClassSummary& entry : summary.classes) {
    rows.push_back({fmt::format("{}", entry.id), entry.name,
                    fmt::format("{}", fmt::join(entry.source_values, " ")),
                    fmt::format("{}", entry.images), share(entry.pixels)});
  }
  if (summary.ignored_pixels > 0)
    rows.push_back({"-", "ignored", "", "", share(summary.ignored_pixels)});
  return format_table(rows);
}

std::string describe_dataset(const base::DatasetSummary& summary) {
  return fmt::format("data:    {}, layout {}, {} samples, {}, {} channel{} of {}", summary.root,
                     summary.layout, summary.samples, size_text(summary), summary.channels,
                     summary.channels == 1 ? "" : "s", base::name_of(summary.type));
}

std::string describe_preparation(const run::SessionFacts& facts) {
  std::string text = describe_dataset(facts.dataset) + '\n' + describe_classes(facts.dataset);
  text += fmt::format("network: {} stages, {:.2f} million parameters\n", facts.stages.size(),
                      static_cast<double>(facts.parameters) / 1e6);
  text += fmt::format("compute: {}, {}, plan {}, budget {}\n", facts.device, facts.precision,
                      plan::to_string(facts.plan, facts.stages),
                      base::format_bytes(facts.budget_bytes));
  if (facts.tiles_at_once > 0) text += fmt::format("tiles:   {} at once\n", facts.tiles_at_once);
  text += fmt::format("steps:   {} to {}, {} an epoch, validation every {}", facts.first_step + 1,
                      facts.steps, facts.steps_per_epoch, facts.validate_every);
  return text;
}

std::string describe_result(const run::RunSnapshot& snapshot) {
  std::string text;
  if (const run::ValidationReport* best = best_validation(snapshot)) {
    text += score_table(scores_of(*best));
    text += fmt::format("best:    step {} of {}\n", best->step, snapshot.steps_done);
  } else if (!snapshot.validations.empty()) {
    const run::ValidationReport& last = snapshot.validations.back();
    text += score_table(scores_of(last));
    text += fmt::format("last:    step {}; an earlier one was better\n", last.step);
  }
  const run::StepHistory& history = snapshot.history;
  text += fmt::format("time:    {} in steps: {}; validation {}, saving {}\n",
                      base::format_duration(sum_of(history.step_seconds)), phases_text(history),
                      base::format_duration(snapshot.validation_seconds),
                      base::format_duration(snapshot.save_seconds));
  text +=
      fmt::format("memory:  peak {}, of that {} above weights and optimizer state; reserved {}\n",
                  base::format_bytes(highest_of(history.peak_total_bytes)),
                  base::format_bytes(highest_of(history.peak_bytes)),
                  base::format_bytes(highest_of(history.reserved_bytes)));
  text += fmt::format("         validation: peak {}\n",
                      base::format_bytes(snapshot.validation_peak_bytes));
  for (const run::MemoryRelief& relief : snapshot.memory_reliefs)
    text += "         " + run::describe(relief, snapshot.facts->stages) + '\n';
  for (const auto& [name, file] : result_files(snapshot.request->run_folder))
    text += fmt::format("{:<13} {}\n", name + ":", base::display_path(file));
  return text;
}

nlohmann::ordered_json result_to_json(const run::RunSnapshot& snapshot) {
  const run::StepHistory& history = snapshot.history;
  const run::ValidationReport* best = best_validation(snapshot);
  const bool was_validated = !snapshot.validations.empty();
  Json document = {{"run", base::display_path(snapshot.request->run_folder)},
                   {"outcome", run::name_of(snapshot.outcome.value_or(run::Outcome::stopped))},
                   {"steps", snapshot.steps_done},
                   {"best", best != nullptr ? scores_to_json(*best) : Json()},
                   {"last", was_validated ? scores_to_json(snapshot.validations.back()) : Json()}};
  document["seconds"] = {{"steps", sum_of(history.step_seconds)}};
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase)
    document["seconds"][plan::kPhaseNames[phase]] = sum_of(history.phase_seconds[phase]);
  document["seconds"]["validation"] = snapshot.validation_seconds;
  document["seconds"]["save"] = snapshot.save_seconds;
  document["validation_peak_total_bytes"] = snapshot.validation_peak_bytes;
  document["peak_bytes"] = highest_of(history.peak_bytes);
  document["peak_total_bytes"] = highest_of(history.peak_total_bytes);
  document["out_of_memory"] = Json::array();
  for (const run::MemoryRelief& relief : snapshot.memory_reliefs)
    document["out_of_memory"].push_back(run::to_json(relief));
  document["reserved_bytes"] = highest_of(history.reserved_bytes);
  for (const auto& [name, file] : result_files(snapshot.request->run_folder))
    document["files"][name] = base::display_path(file);
  return document;
}

}  // namespace headroom::app
