#include "core/run/run_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text_number.hpp"
#include "core/run/csv.hpp"
#include "core/run/record_files.hpp"
#include "core/run/timeline_file.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlansHeader = "id,step,plan,tiles_at_once,cause";

std::string steps_header() {
  std::string header = "step,epoch,loss,lr";
  for (const char* const phase : plan::kPhaseNames) header += fmt::format(",seconds_{}", phase);
  return header + ",peak_bytes,peak_total_bytes,plan_id";
}

std::string results_header(const std::vector<std::string>& class_names) {
  std::string header = "step,epoch,loss,mean_iou,mean_dice,images,seconds,peak_total_bytes,is_best";
  for (const std::string& name : class_names) {
    header += ',' + csv_field("iou_" + name) + ',' + csv_field("dice_" + name);
  }
  return header;
}

/// Opens `file` for more rows; a new one gets its header.
base::LineFile open_table(const fs::path& file, const std::string& header) {
  const std::vector<std::string> lines = csv_lines(file);
  if (!lines.empty() && lines.front() != header) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "continuing the run's record",
                       .subject = base::display_path(file) + ": has other columns",
                       .remedy = "Move the file away, or train anew"});
  }
  base::LineFile table(file);
  if (table.size_bytes() == 0) table.append(header);
  return table;
}

}  // namespace

RunRecord::RunRecord(RunFolder folder, RunDescription description, base::WallClock clock)
    : folder_(std::move(folder)), description_(std::move(description)), clock_(std::move(clock)) {}

void RunRecord::do_handle(const Event& event) {
  if (const auto* prepared = std::get_if<Prepared>(&event)) begin(*prepared->facts);
  if (!events_) return;  // nothing is written for a run that could not be prepared

  if (const auto* done = std::get_if<StepDone>(&event)) {
    write_step(done->report);
    return;
  }
  if (const auto* applied = std::get_if<PlanApplied>(&event)) write_plan(*applied);
  if (const auto* relieved = std::get_if<MemoryRelieved>(&event)) write_relief(relieved->relief);
  if (const auto* validated = std::get_if<ValidationDone>(&event)) {
    write_validation(validated->report);
  }
  write_event(event);
  if (std::holds_alternative<Saved>(event) || std::holds_alternative<Finished>(event) ||
      std::holds_alternative<Failed>(event)) {
    sync();
  }
}

void RunRecord::begin(const SessionFacts& facts) {
  const std::string& fingerprint = facts.dataset.fingerprint;
  if (!description_.data_fingerprint.empty() && description_.data_fingerprint != fingerprint) {
    throw base::Error(base::ErrorKind::unusable_data,
                      {.attempted = "continuing the run",
                       .subject = base::display_path(description_.data_folder) +
                                  ": its images or masks are not those that the run began with",
                       .remedy = "Restore the data, or train anew into another folder"});
  }
  description_.data_fingerprint = fingerprint;
  stages_ = facts.stages;

  const std::int64_t first = facts.first_step;
  const auto is_done = [&](std::int64_t step) { return step <= first; };
  keep_rows(folder_.path() / kStepsFile, steps_column::kStep, is_done);
  keep_rows(folder_.path() / kPlansFile, plans_column::kStep, is_done);
  keep_rows(folder_.path() / kResultsFile, results_column::kStep, [&](std::int64_t step) {
    return step < first || (step == first && facts.last_validated_step == first);
  });
  std::erase_if(description_.memory_reliefs,
                [&](const MemoryRelief& relief) { return !is_done(relief.step); });
  read_last_plan();

  folder_.write_description(description_);
  steps_.emplace(open_table(folder_.path() / kStepsFile, steps_header()));
  results_.emplace(open_table(folder_.path() / kResultsFile, results_header(facts.class_names)));
  plans_.emplace(open_table(folder_.path() / kPlansFile, kPlansHeader));
  events_.emplace(folder_.path() / kEventsFile);
}

void RunRecord::read_last_plan() {
  const std::vector<std::string> lines = csv_lines(folder_.path() / kPlansFile);
  if (lines.size() < 2) return;
  const std::vector<std::string> fields = csv_fields(lines.back());
  if (fields.size() != plans_column::kCount) return;
  plan_id_ = base::parse_integer(fields[plans_column::kId]).value_or(0);
  plan_text_ = fields[plans_column::kPlan];
  tiles_at_once_ = base::parse_integer(fields[plans_column::kTilesAtOnce]).value_or(0);
}

void RunRecord::write_step(const StepReport& report) {
  std::string row =
      fmt::format("{},{},{},{}", report.step, report.epoch, report.loss, report.learning_rate);
  for (const double seconds : report.seconds) row += fmt::format(",{:.6g}", seconds);
  row += fmt::format(",{},{},{}", report.peak_bytes, report.peak_total_bytes, plan_id_);
  steps_->append(row);
  if (report.timeline &&
      is_kept_timeline(description_.settings.train.timeline_every, report.step)) {
    write_timeline(timeline_file(folder_.path(), report.step), report.timeline);
  }
}

void RunRecord::write_validation(const ValidationReport& report) {
  std::string row = fmt::format("{},{},{},{},{},{},{:.6g},{},{}", report.step, report.epoch,
                                report.loss, report.mean_iou, report.mean_dice, report.images,
                                report.seconds, report.peak_total_bytes, report.is_best ? 1 : 0);
  for (const ClassScore& score : report.classes)
    row += fmt::format(",{},{}", score.iou, score.dice);
  results_->append(row);
}

void RunRecord::write_plan(const PlanApplied& applied) {
  std::string text = plan::to_string(applied.plan, stages_);
  // After a resume the plan is usually the one that the last steps ran with.
  if (plan_id_ > 0 && text == plan_text_ && applied.tiles_at_once == tiles_at_once_) return;
  plan_text_ = std::move(text);
  tiles_at_once_ = applied.tiles_at_once;
  ++plan_id_;
  plans_->append(fmt::format("{},{},{},{},{}", plan_id_, applied.step, csv_field(plan_text_),
                             tiles_at_once_, name_of(applied.cause)));
}

void RunRecord::write_relief(const MemoryRelief& relief) {
  description_.memory_reliefs.push_back(relief);
  folder_.write_description(description_);
}

void RunRecord::write_event(const Event& event) {
  nlohmann::ordered_json line = {{"time", base::utc_timestamp(clock_())}};
  line.update(to_json(event));
  events_->append(base::dump_json(line));
}

void RunRecord::sync() {
  for (std::optional<base::LineFile>* const file : {&steps_, &results_, &plans_, &events_}) {
    (*file)->sync();
  }
}

}  // namespace headroom::run
