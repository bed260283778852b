#include "core/run/record_reader.hpp"

#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text_number.hpp"
#include "core/run/csv.hpp"
#include "core/run/record_files.hpp"

namespace headroom::run {
namespace {

using Fields = std::vector<std::string>;

/// The fields of the rows that have `columns` of them, below the header.
std::vector<Fields> rows_of(const std::filesystem::path& file, std::size_t columns) {
  const std::vector<std::string> lines = csv_lines(file);
  std::vector<Fields> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Fields fields = csv_fields(lines[i]);
    if (fields.size() == columns) rows.push_back(std::move(fields));
  }
  return rows;
}

/// 0 where it is no number: a step that is none is not taken.
std::int64_t integer(const Fields& fields, std::size_t column) {
  return base::parse_integer(fields[column]).value_or(0);
}

double real(const Fields& fields, std::size_t column) {
  return base::parse_real(fields[column]).value_or(std::numeric_limits<double>::quiet_NaN());
}

StepReport step_of(const Fields& fields) {
  namespace column = steps_column;
  StepReport report;
  report.step = integer(fields, column::kStep);
  report.epoch = integer(fields, column::kEpoch);
  report.loss = real(fields, column::kLoss);
  report.learning_rate = real(fields, column::kLearningRate);
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase)
    report.seconds[phase] = real(fields, column::kSeconds + phase);
  report.total_seconds = std::accumulate(report.seconds.begin(), report.seconds.end(), 0.0);
  report.peak_bytes = integer(fields, column::kPeak);
  report.peak_total_bytes = integer(fields, column::kPeakTotal);
  return report;
}

ValidationReport validation_of(const Fields& fields, const std::vector<std::string>& classes) {
  namespace column = results_column;
  ValidationReport report{.step = integer(fields, column::kStep),
                          .epoch = integer(fields, column::kEpoch),
                          .loss = real(fields, column::kLoss),
                          .mean_iou = real(fields, column::kMeanIou),
                          .mean_dice = real(fields, column::kMeanDice),
                          .images = integer(fields, column::kImages),
                          .seconds = real(fields, column::kSeconds),
                          .peak_total_bytes = integer(fields, column::kPeakTotal),
                          .is_best = integer(fields, column::kIsBest) != 0};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    report.classes.push_back({.name = classes[i],
                              .iou = real(fields, column::kClasses + 2 * i),
                              .dice = real(fields, column::kClasses + 2 * i + 1)});
  }
  return report;
}

std::optional<PlanApplied> plan_of(const Fields& fields, const std::vector<std::string>& stages) {
  try {
    const bool is_forced = fields[plans_column::kCause] == name_of(PlanCause::out_of_memory);
    return PlanApplied{.step = integer(fields, plans_column::kStep),
                       .plan = plan::parse_plan(fields[plans_column::kPlan], stages),
                       .tiles_at_once = integer(fields, plans_column::kTilesAtOnce),
                       .cause = is_forced ? PlanCause::out_of_memory : PlanCause::asked};
  } catch (const base::Error&) {
    return std::nullopt;  // of other stages, or edited by hand
  }
}

}  // namespace

RecordedRun read_record(const std::filesystem::path& run_folder, const SessionFacts& facts) {
  const auto is_done = [&](std::int64_t step) { return step >= 1 && step <= facts.first_step; };
  RecordedRun record;
  for (const Fields& fields : rows_of(run_folder / kStepsFile, steps_column::kCount)) {
    const StepReport report = step_of(fields);
    if (is_done(report.step)) record.history.add(report);
  }
  const std::size_t results = results_column::kClasses + 2 * facts.class_names.size();
  for (const Fields& fields : rows_of(run_folder / kResultsFile, results)) {
    ValidationReport report = validation_of(fields, facts.class_names);
    if (is_done(report.step)) record.validations.push_back(std::move(report));
  }
  for (const Fields& fields : rows_of(run_folder / kPlansFile, plans_column::kCount)) {
    std::optional<PlanApplied> applied = plan_of(fields, facts.stages);
    if (applied && is_done(applied->step)) record.plans.push_back(std::move(*applied));
  }
  return record;
}

}  // namespace headroom::run
