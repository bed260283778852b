#include "app/training_printer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <variant>

#include "app/dataset_scan.hpp"
#include "app/text.hpp"
#include "app/training_summary.hpp"
#include "core/plan/plan.hpp"
#include "core/run/log_text.hpp"
#include "core/run/time_left.hpp"

namespace headroom::app {
namespace {

using Clock = std::chrono::steady_clock;

base::LogLevel level_of(base::Severity severity) {
  switch (severity) {
    case base::Severity::info:
      return base::LogLevel::info;
    case base::Severity::warning:
      return base::LogLevel::warning;
    case base::Severity::error:
      break;
  }
  return base::LogLevel::error;
}

}  // namespace

TrainingPrinter::TrainingPrinter(base::Log& log, ProgressStyle style)
    : log_(log), display_(style) {}

void TrainingPrinter::show_scan(const formats::ScanProgress& scan) {
  display_.update(progress_of(scan), Clock::now());
}

void TrainingPrinter::do_handle(const run::Event& event) {
  snapshot_ = reduce(std::move(snapshot_), event);
  std::visit([this](const auto& alternative) { on(alternative); }, event);
}

void TrainingPrinter::say(base::LogLevel level, const std::string& line) {
  display_.clear();
  log_.write(level, line);
}

void TrainingPrinter::on(const run::Prepared& prepared) {
  state_.done = prepared.facts->first_step;
  state_.total = prepared.facts->steps;
  display_.restart();
  say(base::LogLevel::info, describe_preparation(*prepared.facts));
}

void TrainingPrinter::on(const run::StateChanged& changed) {
  if (changed.to == run::RunState::training) state_.activity = "training";
  if (changed.to == run::RunState::validating) {
    state_.activity = "validating";
    display_.update(state_, Clock::now());
  }
}

void TrainingPrinter::on(const run::StepDone& done) {
  const run::StepReport& report = done.report;
  state_.done = report.step;
  state_.loss = report.loss;
  state_.seconds_per_step = report.total_seconds;
  state_.phases = report.seconds;
  state_.peak_bytes = report.peak_total_bytes;
  state_.seconds_left = run::seconds_left(snapshot_);
  if (report.step == state_.total) state_.seconds_left.reset();
  display_.update(state_, Clock::now());
}

void TrainingPrinter::on(const run::ValidationDone& done) {
  const run::ValidationReport& report = done.report;
  say(base::LogLevel::info,
      fmt::format("step {}: mean Dice {}, mean IoU {}, validation loss {:.4f}, {} images{}",
                  report.step, format_score(report.mean_dice), format_score(report.mean_iou),
                  report.loss, report.images, report.is_best ? " (best so far)" : ""));
}

void TrainingPrinter::on(const run::PlanApplied& applied) {
  const auto& facts = snapshot_.facts;
  if (!facts || applied.step == facts->first_step + 1) return;
  // What was forced has been told already.
  if (applied.cause == run::PlanCause::out_of_memory) return;
  say(base::LogLevel::info,
      fmt::format("step {}: plan {}", applied.step, plan::to_string(applied.plan, facts->stages)));
}

void TrainingPrinter::on(const run::MemoryRelieved& relieved) {
  say(base::LogLevel::warning, run::describe(relieved.relief, snapshot_.facts->stages));
}

void TrainingPrinter::on(const run::LogLine& line) { say(level_of(line.severity), line.text); }

void TrainingPrinter::on(const run::Finished&) { display_.clear(); }

void TrainingPrinter::on(const run::Failed&) { display_.clear(); }

}  // namespace headroom::app
