#include "core/run/report_document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/base/build_info.hpp"
#include "core/base/duration.hpp"
#include "core/base/io_error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFormatVersion = 1;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json count_or_null(std::int64_t value) { return value > 0 ? Json(value) : Json(); }
Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of(const plan::PhaseSeconds& seconds) {
  Json by_phase = Json::object();
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    by_phase[plan::kPhaseNames[phase]] = number_or_null(seconds[phase]);
  }
  return by_phase;
}

Json json_of(const ValidationReport& report) {
  Json classes = Json::array();
  for (const ClassScore& score : report.classes) {
    classes.push_back({{"name", score.name},
                       {"iou", number_or_null(score.iou)},
                       {"dice", number_or_null(score.dice)}});
  }
  return {{"step", report.step},
          {"loss", number_or_null(report.loss)},
          {"mean_iou", number_or_null(report.mean_iou)},
          {"mean_dice", number_or_null(report.mean_dice)},
          {"images", report.images},
          {"seconds", number_or_null(report.seconds)},
          {"peak_total_bytes", report.peak_total_bytes},
          {"is_best", report.is_best},
          {"classes", std::move(classes)}};
}

Json json_of(const HistoryPoint& point) {
  return {{"first_step", point.first_step},
          {"last_step", point.last_step},
          {"loss", number_or_null(point.loss)},
          {"lowest_loss", number_or_null(point.lowest_loss)},
          {"highest_loss", number_or_null(point.highest_loss)},
          {"peak_total_bytes", point.peak_total_bytes},
          {"seconds", json_of(point.seconds)}};
}

/// The letters of the changes that led to this form: "A, C".
std::string letters_of_changes(const RunReport& run, const plan::StepForm& form) {
  std::string letters;
  for (std::size_t i = 1; i < run.changes.size(); ++i) {
    const PlanApplied& change = run.changes[i];
    if (plan::StepForm{change.plan, change.tiles_at_once} != form) continue;
    if (!letters.empty()) letters += ", ";
    letters += letters_of(static_cast<std::int64_t>(i));
  }
  return letters;
}

Json plans_of(const RunReport& run) {
  Json plans = Json::array();
  for (const PlanSteps& each : run.plans) {
    plans.push_back({{"plan", plan::to_string(each.form.plan, run.facts.stages)},
                     {"letters", letters_of_changes(run, each.form)},
                     {"first_step", each.first_step},
                     {"steps", each.steps},
                     {"tiles_at_once", each.form.tiles_at_once},
                     {"peak_bytes", each.peak_bytes},
                     {"peak_total_bytes", each.peak_total_bytes},
                     {"seconds_per_step", number_or_null(each.step_seconds)},
                     {"recompute_seconds_per_step", number_or_null(each.recompute_seconds)},
                     {"of_keep", each.of_keep ? Json(*each.of_keep) : Json()}});
  }
  return plans;
}

Json changes_of(const RunReport& run) {
  Json changes = Json::array();
  for (std::size_t i = 1; i < run.changes.size(); ++i) {
    const PlanApplied& change = run.changes[i];
    changes.push_back({{"letters", letters_of(static_cast<std::int64_t>(i))},
                       {"step", change.step},
                       {"plan", plan::to_string(change.plan, run.facts.stages)},
                       {"tiles_at_once", change.tiles_at_once},
                       {"cause", name_of(change.cause)}});
  }
  return changes;
}

Json data_of(const RunReport& run) {
  const base::DatasetSummary& dataset = run.facts.dataset;
  return {{"folder", base::display_path(run.description.data_folder)},
          {"fingerprint", text_or_null(run.description.data_fingerprint)},
          {"layout", text_or_null(dataset.layout)},
          {"samples", count_or_null(dataset.samples)},
          {"channels", count_or_null(dataset.channels)},
          {"classes", run.facts.class_names}};
}

Json error_of(const RunReport& run) {
  if (!run.error) return {};
  return {{"attempted", run.error->attempted},
          {"subject", run.error->subject},
          {"remedy", run.error->remedy}};
}

template <typename Value, typename Convert>
Json array_of(const std::vector<Value>& values, const Convert& convert) {
  Json array = Json::array();
  for (const Value& value : values) array.push_back(convert(value));
  return array;
}

void add_figures(Json& object, const RunReport& run) {
  object["peak_bytes"] = count_or_null(run.peak_bytes);
  object["peak_total_bytes"] = count_or_null(run.peak_total_bytes);
  object["seconds_per_step"] = number_or_null(run.step_seconds);
  object["loss"] = number_or_null(run.last_loss);
  object["seconds"] = {{"steps", std::accumulate(run.seconds.begin(), run.seconds.end(), 0.0)}};
  object["seconds"].update(json_of(run.seconds));
  const ValidationReport* const best = run.best_validation();
  object["best"] = best != nullptr ? json_of(*best) : Json();
  object["last"] = run.validations.empty() ? Json() : json_of(run.validations.back());
}

void add_tables(Json& object, const RunReport& run) {
  object["plans"] = plans_of(run);
  object["plan_changes"] = changes_of(run);
  object["out_of_memory"] = array_of(run.description.memory_reliefs,
                                     [](const MemoryRelief& relief) { return to_json(relief); });
  object["validations"] =
      array_of(run.validations, [](const ValidationReport& each) { return json_of(each); });
  object["history"] =
      array_of(run.history, [](const HistoryPoint& point) { return json_of(point); });
  object["pictures"] = array_of(run.pictures, [](const ReportPicture& picture) {
    return Json{{"file", picture.file}, {"height", picture.height}, {"width", picture.width}};
  });
  object["missing"] = array_of(run.gaps, [](const RecordGap& gap) {
    return Json{{"file", gap.file}, {"problem", gap.problem}};
  });
}

Json json_of(const RunReport& run) {
  const RunDescription& description = run.description;
  Json object = {{"name", run.name},
                 {"folder", run.folder},
                 {"outcome", name_of(run.end)},
                 {"error", error_of(run)},
                 {"began", text_or_null(run.began)},
                 {"ended", text_or_null(run.ended)},
                 {"resumed_after", run.resumed_after},
                 {"steps_done", run.steps_done},
                 {"steps", count_or_null(run.facts.steps)},
                 {"data", data_of(run)},
                 {"settings", base::settings_object(description.settings)},
                 {"environment", description.environment},
                 {"build_commit", text_or_null(description.build_commit)},
                 {"device", text_or_null(run.facts.device)},
                 {"precision", text_or_null(run.facts.precision)},
                 {"parameters", count_or_null(run.facts.parameters)},
                 {"stages", run.facts.stages},
                 {"budget_bytes", count_or_null(run.facts.budget_bytes)}};
  add_figures(object, run);
  add_tables(object, run);
  return object;
}

/// Keys of the settings that are not the same in all runs.
Json differences_of(std::span<const RunReport> runs) {
  Json keys = Json::array();
  for (const base::SettingRow& row : base::settings_schema()) {
    const auto text = [&row](const RunReport& run) {
      return base::text_of(run.description.settings, row);
    };
    const bool differs = std::ranges::any_of(
        runs, [&](const RunReport& run) { return text(run) != text(runs.front()); });
    if (differs) keys.push_back(row.key);
  }
  return keys;
}

}  // namespace

Json report_document(std::span<const RunReport> runs,
                     std::chrono::system_clock::time_point written) {
  Json document = {{"format", kReportFormat},
                   {"format_version", kFormatVersion},
                   {"written", base::utc_timestamp(written)},
                   {"build_commit", base::build_commit()},
                   {"settings_that_differ", differences_of(runs)},
                   {"runs", Json::array()}};
  for (const RunReport& run : runs) document["runs"].push_back(json_of(run));
  return document;
}

}  // namespace headroom::run
