#include "core/run/snapshot.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text_number.hpp"
#include "core/run/log_text.hpp"
#include "core/run/record_reader.hpp"

namespace headroom::run {
namespace {

template <typename Value>
void append_bounded(std::vector<Value>& values, Value value, std::size_t most) {
  if (values.size() == most) values.erase(values.begin());
  values.push_back(std::move(value));
}

/// Every second one goes, but for the first, the last and the best yet.
void thin_out(std::vector<ValidationReport>& validations) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < validations.size(); ++i) {
    if (validations[i].is_best) best = i;
  }
  std::vector<ValidationReport> kept;
  for (std::size_t i = 0; i < validations.size(); ++i) {
    if (i % 2 == 0 || i == best || i + 1 == validations.size()) {
      kept.push_back(std::move(validations[i]));
    }
  }
  validations = std::move(kept);
}

/// Log, request, state, self-test and what was measured outlive a run; the rest belongs to one.
RunSnapshot without_run(RunSnapshot snapshot) {
  return {.revision = snapshot.revision,
          .state = snapshot.state,
          .request = std::move(snapshot.request),
          .self_test = std::move(snapshot.self_test),
          .calibration = std::move(snapshot.calibration),
          .costs = std::move(snapshot.costs),
          .checked_fit = snapshot.checked_fit,
          .fit_checks = std::move(snapshot.fit_checks),
          .costs_settings = std::move(snapshot.costs_settings),
          .log = std::move(snapshot.log)};
}

/// The stage's time goes into the running value of its policy: a mean at first, an exponential mean
/// over about kSmoothedSteps then.
void measure(PolicyMeasurements& measured, const StageReport& stage, std::int64_t step) {
  constexpr std::int64_t kSmoothedSteps = 8;
  std::optional<PolicyMeasurement>& last = measured[static_cast<std::size_t>(stage.policy)];
  // It ran with another policy in between: what it took before says less than what it takes now.
  if (!last || last->step != step - 1) last = PolicyMeasurement{};
  const double seconds = stage.forward_seconds + stage.backward_seconds + stage.recompute_seconds;
  last->step = step;
  last->kept_bytes = stage.kept_bytes;
  last->steps = std::min(last->steps + 1, kSmoothedSteps);
  last->seconds += (seconds - last->seconds) / static_cast<double>(last->steps);
}

class Reducer {
 public:
  Reducer(RunSnapshot snapshot, std::chrono::system_clock::time_point time)
      : next_(std::move(snapshot)), time_(time) {
    ++next_.revision;
  }

  void operator()(const Configured& event) { next_.request = event.request; }

  void operator()(const StateChanged& event) {
    if (event.to == RunState::preparing || event.to == RunState::ready) {
      next_ = without_run(std::move(next_));
    }
    const RunState from = std::exchange(next_.state, event.to);
    if (event.to == RunState::paused) {
      say("Paused after step " + base::format_count(next_.steps_done));
    } else if (from == RunState::paused && event.to == RunState::training) {
      say("Resumed");
    }
  }

  void operator()(const Prepared& event) {
    next_.facts = event.facts;
    next_.steps_done = event.facts->first_step;
    next_.requested_plan = event.facts->plan;
    say(describe_start(*event.facts));
  }

  void operator()(const RecordRead& event) {
    const RecordedRun& record = *event.record;
    next_.history = record.history;
    for (const ValidationReport& report : record.validations) add_validation(report);
    for (const PlanApplied& applied : record.plans) {
      next_.applied_plan = applied.plan;
      add_mark(applied);
    }
  }

  void operator()(const StepDone& event) {
    next_.steps_done = event.report.step;
    next_.history.add(event.report);
    next_.stages.resize(event.report.stages.size() + 1);
    for (std::size_t i = 0; i < event.report.stages.size(); ++i) {
      measure(next_.stages[i], event.report.stages[i], event.report.step);
    }
    measure(next_.stages.back(), event.report.head, event.report.step);
    if (event.report.timeline) next_.timeline = event.report.timeline;
    next_.last_step = event.report;
  }

  void operator()(const ValidationDone& event) {
    add_validation(event.report);
    next_.previews = std::exchange(next_.validations.back().previews, {});
    next_.validation_seconds += event.report.seconds;
    next_.validation_peak_bytes =
        std::max(next_.validation_peak_bytes, event.report.peak_total_bytes);
    say(describe(event.report), LogTopic::validation);
  }

  void operator()(const PlanRequested& event) { next_.requested_plan = event.plan; }

  void operator()(const PlanApplied& event) {
    const plan::Plan before = std::exchange(next_.applied_plan, event.plan);
    const plan::StepForm form_before{
        before, next_.plan_marks.empty() ? 0 : next_.plan_marks.back().tiles_at_once};
    add_mark(event);
    const PlanMark& mark = next_.plan_marks.back();
    if (mark.number > 0) {
      say_of_plan(mark.number, describe_plan_change(mark, form_before, stage_names()));
    }
  }

  void operator()(const PlanMeasured& event) {
    const auto mark = std::ranges::find(next_.plan_marks, event.number, &PlanMark::number);
    if (mark != next_.plan_marks.end()) mark->effect = event;
    say_of_plan(event.number, describe(event, stage_names()));
  }

  void operator()(const LearningRateSet& event) {
    next_.learning_rate = event;
    say(describe(event));
  }

  void operator()(const Saved& event) {
    next_.last_save = event;
    next_.save_seconds += event.seconds;
    say(describe(event), LogTopic::save);
  }

  void operator()(const LogLine& event) {
    // What a session tells before it can train is what it found in the data.
    const bool is_finding = next_.state == RunState::preparing;
    add({.severity = event.severity,
         .topic = is_finding ? LogTopic::finding : LogTopic::event,
         .text = event.text});
  }

  void operator()(const CommandRefused& event) {
    add({.severity = base::Severity::warning, .text = event.reason});
  }

  void operator()(const Finished& event) {
    next_.outcome = event.outcome;
    say(describe(event));
  }

  void operator()(const Failed& event) {
    next_.error = event;
    add({.severity = base::Severity::error, .text = base::Error(event.kind, event.error).what()});
  }

  void operator()(const SelfTestDone& event) {
    next_.self_test = event.report;
    add({.severity = event.report.has_passed() ? base::Severity::info : base::Severity::error,
         .text = describe(event.report)});
  }

  void operator()(const CalibrationBegun& event) {
    next_.calibration = CalibrationStatus{.settings = event.settings};
  }

  void operator()(const CalibrationProgressed& event) {
    if (next_.calibration) next_.calibration->steps = event.steps;
  }

  void operator()(const CalibrationEnded& event) {
    if (!next_.calibration) return;
    using State = CalibrationStatus::State;
    CalibrationStatus& status = *next_.calibration;
    if (event.costs) {
      status.state = State::done;
      next_.costs = event.costs;
      next_.costs_settings = status.settings;
      say("Calibrated in " + base::format_count(status.steps) + " steps");
    } else if (event.kind == base::ErrorKind::interrupted) {
      status.state = State::cancelled;
      say("Calibration cancelled");
    } else {
      status.state = State::failed;
      status.problem = event.error;
      add({.severity = base::Severity::error, .text = base::Error(event.kind, event.error).what()});
    }
  }

  void operator()(const FitCheckBegun& event) { next_.checked_fit = event.shape; }

  void operator()(const FitCheckEnded& event) {
    next_.checked_fit.reset();
    if (event.report) {
      append_bounded(next_.fit_checks, *event.report, RunSnapshot::kFitChecks);
      add({.severity = event.report->peak_bytes ? base::Severity::info : base::Severity::warning,
           .text = describe(*event.report)});
    } else if (event.kind == base::ErrorKind::interrupted) {
      say("Check cancelled");
    } else {
      add({.severity = base::Severity::error, .text = base::Error(event.kind, event.error).what()});
    }
  }

  void operator()(const MemoryRelieved& event) {
    const MemoryRelief& relief = event.relief;
    if (relief.work == RepeatedWork::step) next_.requested_plan = relief.after.plan;
    append_bounded(next_.memory_reliefs, relief, RunSnapshot::kMemoryReliefs);
    add({.severity = base::Severity::warning, .text = describe(relief, stage_names())});
  }

  [[nodiscard]] RunSnapshot take() { return std::move(next_); }

 private:
  void add_validation(const ValidationReport& report) {
    if (next_.validations.size() == RunSnapshot::kValidations) thin_out(next_.validations);
    next_.validations.push_back(report);
  }
  void add_mark(const PlanApplied& applied) {
    const std::vector<PlanMark>& marks = next_.plan_marks;
    const std::int64_t number = marks.empty() ? 0 : marks.back().number + 1;
    append_bounded(next_.plan_marks,
                   PlanMark{.number = number,
                            .step = applied.step,
                            .plan = applied.plan,
                            .tiles_at_once = applied.tiles_at_once,
                            .effect = {},
                            .cause = applied.cause},
                   RunSnapshot::kPlanMarks);
  }
  void add(LogEntry entry) {
    entry.time = time_;
    append_bounded(next_.log, std::move(entry), RunSnapshot::kLogLines);
  }
  void say(std::string text, LogTopic topic = LogTopic::event) {
    add({.topic = topic, .text = std::move(text)});
  }
  void say_of_plan(std::int64_t number, std::string text) {
    add({.topic = LogTopic::plan, .text = std::move(text), .plan_number = number});
  }
  [[nodiscard]] std::vector<std::string> stage_names() const {
    return next_.facts ? next_.facts->stages : std::vector<std::string>{};
  }

  RunSnapshot next_;
  std::chrono::system_clock::time_point time_;
};

}  // namespace

std::string letters_of(std::int64_t plan_number) {
  constexpr std::int64_t kLetters = 26;
  std::string letters;
  for (std::int64_t rest = plan_number; rest > 0; rest = (rest - 1) / kLetters) {
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % kLetters));
  }
  return letters;
}

RunSnapshot reduce(RunSnapshot snapshot, const Event& event,
                   std::chrono::system_clock::time_point time) {
  Reducer reducer(std::move(snapshot), time);
  std::visit(reducer, event);
  return reducer.take();
}

}  // namespace headroom::run
