#include "core/run/event.hpp"

#include <nlohmann/json.hpp>

#include "core/base/io_error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/run/record_reader.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const plan::Plan& plan) {
  Json policies = Json::array();
  for (const plan::Policy policy : plan) policies.push_back(plan::name_of(policy));
  return policies;
}

Json json_of(const plan::PhaseSeconds& seconds) {
  Json by_phase = Json::object();
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    by_phase[plan::kPhaseNames[phase]] = seconds[phase];
  }
  return by_phase;
}

Json json_of(const StageReport& stage) {
  return {{"name", stage.name},
          {"policy", plan::name_of(stage.policy)},
          {"channels", stage.channels},
          {"height", stage.height},
          {"width", stage.width},
          {"kept_bytes", stage.kept_bytes},
          {"bytes_at_peak", stage.bytes_at_peak},
          {"forward_seconds", stage.forward_seconds},
          {"backward_seconds", stage.backward_seconds},
          {"recompute_seconds", stage.recompute_seconds}};
}

Json json_of(const base::Finding& finding) {
  return {{"severity", base::name_of(finding.severity)},
          {"code", finding.code},
          {"file", finding.file},
          {"message", finding.message}};
}

Json json_of(const base::DatasetSummary& dataset) {
  Json findings = Json::array();
  for (const base::Finding& finding : dataset.findings) findings.push_back(json_of(finding));
  return {{"root", dataset.root},
          {"layout", dataset.layout},
          {"samples", dataset.samples},
          {"channels", dataset.channels},
          {"dtype", base::name_of(dataset.type)},
          {"fingerprint", dataset.fingerprint},
          {"findings", std::move(findings)}};
}

Json fields_of(const Configured& event) {
  const RunRequest& request = event.request;
  return {{"event", "configured"},
          {"settings", base::settings_object(request.settings)},
          {"data_folder", base::display_path(request.data_folder)},
          {"run_folder", base::display_path(request.run_folder)},
          {"resume", request.start == RunStart::resume}};
}

Json fields_of(const StateChanged& event) {
  return {{"event", "state_changed"}, {"from", name_of(event.from)}, {"to", name_of(event.to)}};
}

Json fields_of(const Prepared& event) {
  const SessionFacts& facts = *event.facts;
  return {{"event", "prepared"},
          {"stages", facts.stages},
          {"steps", facts.steps},
          {"steps_per_epoch", facts.steps_per_epoch},
          {"validate_every", facts.validate_every},
          {"first_step", facts.first_step},
          {"last_validated_step", facts.last_validated_step},
          {"parameters", facts.parameters},
          {"device", facts.device},
          {"precision", facts.precision},
          {"budget_bytes", facts.budget_bytes},
          {"plan", json_of(facts.plan)},
          {"tiles_at_once", facts.tiles_at_once},
          {"policies", json_of(facts.policies)},
          {"class_names", facts.class_names},
          {"dataset", json_of(facts.dataset)}};
}

Json fields_of(const StepDone& event) {
  const StepReport& report = event.report;
  Json stages = Json::array();
  for (const StageReport& stage : report.stages) stages.push_back(json_of(stage));
  return {{"event", "step_done"},
          {"step", report.step},
          {"epoch", report.epoch},
          {"loss", report.loss},
          {"learning_rate", report.learning_rate},
          {"seconds", json_of(report.seconds)},
          {"total_seconds", report.total_seconds},
          {"peak_bytes", report.peak_bytes},
          {"peak_total_bytes", report.peak_total_bytes},
          {"reserved_bytes", report.reserved_bytes},
          {"peak_stage", report.peak_stage},
          {"plan", json_of(report.plan)},
          {"tiles_at_once", report.tiles_at_once},
          {"stages", std::move(stages)},
          {"head", json_of(report.head)}};
}

Json fields_of(const RecordRead& event) {
  return {{"event", "record_read"},
          {"validations", event.record->validations.size()},
          {"plans", event.record->plans.size()}};
}

Json fields_of(const ValidationDone& event) {
  const ValidationReport& report = event.report;
  Json classes = Json::array();
  for (const ClassScore& score : report.classes) {
    classes.push_back({{"name", score.name}, {"iou", score.iou}, {"dice", score.dice}});
  }
  return {{"event", "validation_done"},    {"step", report.step},
          {"epoch", report.epoch},         {"loss", report.loss},
          {"mean_iou", report.mean_iou},   {"mean_dice", report.mean_dice},
          {"classes", std::move(classes)}, {"images", report.images},
          {"seconds", report.seconds},     {"peak_total_bytes", report.peak_total_bytes},
          {"is_best", report.is_best}};
}

Json fields_of(const PlanRequested& event) {
  return {{"event", "plan_requested"}, {"plan", json_of(event.plan)}};
}

Json fields_of(const PlanApplied& event) {
  return {{"event", "plan_applied"},
          {"step", event.step},
          {"plan", json_of(event.plan)},
          {"tiles_at_once", event.tiles_at_once},
          {"cause", name_of(event.cause)}};
}

Json fields_of(const MemoryRelieved& event) {
  Json line = {{"event", "out_of_memory"}};
  line.update(to_json(event.relief));
  return line;
}

Json fields_of(const PlanMeasured& event) {
  return {{"event", "plan_measured"},
          {"number", event.number},
          {"step", event.step},
          {"before", json_of(event.before)},
          {"after", json_of(event.after)},
          {"tiles_at_once_before", event.tiles_at_once_before},
          {"tiles_at_once_after", event.tiles_at_once_after},
          {"peak_total_bytes_before", event.peak_total_bytes_before},
          {"peak_total_bytes_after", event.peak_total_bytes_after},
          {"step_seconds_before", event.step_seconds_before},
          {"step_seconds_after", event.step_seconds_after}};
}

Json fields_of(const LearningRateSet& event) {
  return {{"event", "learning_rate_set"}, {"step", event.step}, {"peak_rate", event.peak_rate}};
}

Json fields_of(const Saved& event) {
  return {
      {"event", "saved"}, {"step", event.step}, {"bytes", event.bytes}, {"seconds", event.seconds}};
}

Json fields_of(const LogLine& event) {
  return {{"event", "log_line"}, {"severity", base::name_of(event.severity)}, {"text", event.text}};
}

Json fields_of(const CommandRefused& event) {
  return {
      {"event", "command_refused"}, {"action", name_of(event.action)}, {"reason", event.reason}};
}

Json fields_of(const Finished& event) {
  return {{"event", "finished"}, {"outcome", name_of(event.outcome)}, {"step", event.step}};
}

Json fields_of(const Failed& event) {
  return {{"event", "failed"},
          {"exit_code", static_cast<int>(event.kind)},
          {"attempted", event.error.attempted},
          {"subject", event.error.subject},
          {"remedy", event.error.remedy},
          {"detail", event.error.detail},
          {"step", event.step},
          {"saved_step", event.saved_step}};
}

Json fields_of(const SelfTestDone& event) {
  const SelfTestReport& report = event.report;
  return {{"event", "self_test_done"},
          {"plans", report.plans},
          {"equal", report.equal},
          {"seconds", report.seconds},
          {"problem", report.problem}};
}

Json fields_of(const CalibrationBegun&) { return {{"event", "calibration_begun"}}; }

Json fields_of(const CalibrationProgressed& event) {
  return {{"event", "calibration_progressed"}, {"steps", event.steps}};
}

Json problem_of(const char* event, base::ErrorKind kind, const base::ErrorParts& error) {
  return {{"event", event},
          {"exit_code", static_cast<int>(kind)},
          {"attempted", error.attempted},
          {"subject", error.subject},
          {"remedy", error.remedy},
          {"detail", error.detail}};
}

Json fields_of(const CalibrationEnded& event) {
  if (event.costs) return {{"event", "calibration_ended"}, {"stages", event.costs->stages.size()}};
  return problem_of("calibration_ended", event.kind, event.error);
}

Json fields_of(const FitCheckBegun& event) {
  return {{"event", "fit_check_begun"},
          {"batch", event.shape.batch},
          {"height", event.shape.height},
          {"width", event.shape.width}};
}

Json fields_of(const FitCheckEnded& event) {
  if (!event.report) return problem_of("fit_check_ended", event.kind, event.error);
  const FitCheckReport& report = *event.report;
  return {{"event", "fit_check_ended"},
          {"batch", report.shape.batch},
          {"height", report.shape.height},
          {"width", report.shape.width},
          {"plan", json_of(report.plan)},
          {"budget_bytes", report.budget_bytes},
          {"fits", report.peak_bytes.has_value()},
          {"peak_bytes", report.peak_bytes.value_or(0)}};
}

}  // namespace

const char* name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed:
      return "completed";
    case Outcome::stopped:
      return "stopped";
  }
  return "";
}

const char* name_of(PlanCause cause) {
  return cause == PlanCause::out_of_memory ? "out_of_memory" : "asked";
}

Json to_json(const Event& event) {
  return std::visit([](const auto& each) { return fields_of(each); }, event);
}

}  // namespace headroom::run
