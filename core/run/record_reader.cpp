#include "core/run/record_reader.hpp"

#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text_number.hpp"
#include "core/run/csv.hpp"
#include "core/run/record_files.hpp"

namespace headroom::run {
namespace {

using Fields = std::vector<std::string>;

/// Calls `take` with the fields of each row below the header that has `columns` of them; `take`
/// says whether it could read them. Returns how many rows could not be read.
std::int64_t read_rows(const std::filesystem::path& file, std::size_t columns,
                       const std::function<bool(const Fields&)>& take) {
  const std::vector<std::string> lines = csv_lines(file);
  std::int64_t unreadable = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Fields fields = csv_fields(lines[i]);
    if (fields.size() != columns || !take(fields)) ++unreadable;
  }
  return unreadable;
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

std::int64_t read_steps(const std::filesystem::path& run_folder,
                        const std::function<void(const StepReport&)>& take) {
  return read_rows(run_folder / kStepsFile, steps_column::kCount, [&](const Fields& fields) {
    const StepReport report = step_of(fields);
    if (report.step < 1) return false;
    take(report);
    return true;
  });
}

std::vector<std::string> recorded_classes(const std::filesystem::path& run_folder) {
  constexpr std::string_view kPrefix = "iou_";
  const std::vector<std::string> lines = csv_lines(run_folder / kResultsFile);
  std::vector<std::string> names;
  if (lines.empty()) return names;
  const Fields columns = csv_fields(lines.front());
  for (std::size_t i = results_column::kClasses; i < columns.size(); i += 2) {
    const bool has_prefix = columns[i].starts_with(kPrefix);
    names.push_back(has_prefix ? columns[i].substr(kPrefix.size()) : columns[i]);
  }
  return names;
}

RecordedRows<ValidationReport> read_validations(const std::filesystem::path& run_folder,
                                                const std::vector<std::string>& class_names) {
  RecordedRows<ValidationReport> read;
  const std::size_t columns = results_column::kClasses + 2 * class_names.size();
  read.unreadable = read_rows(run_folder / kResultsFile, columns, [&](const Fields& fields) {
    ValidationReport report = validation_of(fields, class_names);
    if (report.step < 1) return false;
    read.rows.push_back(std::move(report));
    return true;
  });
  return read;
}

RecordedRows<PlanApplied> read_plans(const std::filesystem::path& run_folder,
                                     const std::vector<std::string>& stages) {
  RecordedRows<PlanApplied> read;
  read.unreadable =
      read_rows(run_folder / kPlansFile, plans_column::kCount, [&](const Fields& fields) {
        std::optional<PlanApplied> applied = plan_of(fields, stages);
        if (!applied || applied->step < 1) return false;
        read.rows.push_back(std::move(*applied));
        return true;
      });
  return read;
}

RecordedRun read_record(const std::filesystem::path& run_folder, const SessionFacts& facts) {
  const auto is_done = [&](const auto& entry) { return entry.step <= facts.first_step; };
  RecordedRun record;
  static_cast<void>(read_steps(run_folder, [&](const StepReport& report) {
    if (is_done(report)) record.history.add(report);
  }));
  record.validations = read_validations(run_folder, facts.class_names).rows;
  record.plans = read_plans(run_folder, facts.stages).rows;
  std::erase_if(record.validations, std::not_fn(is_done));
  std::erase_if(record.plans, std::not_fn(is_done));
  return record;
}

}  // namespace headroom::run
