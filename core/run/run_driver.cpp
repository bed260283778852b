#include "core/run/run_driver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <utility>

#include "core/base/elapsed.hpp"
#include "core/run/record_reader.hpp"

namespace headroom::run {
namespace {

constexpr auto kPublishInterval = std::chrono::milliseconds(125);

/// The error that `problem` holds, as the program's own.
base::Error error_of(const std::exception_ptr& problem,
                     const char* attempted = "running the training") {
  try {
    std::rethrow_exception(problem);
  } catch (const base::Error& error) {
    return error;
  } catch (const std::bad_alloc& error) {
    return {base::ErrorKind::out_of_memory,
            {.attempted = attempted,
             .subject = "the machine has no memory left",
             .remedy = "Close other programs, or choose a smaller tile, batch or cache",
             .detail = error.what()}};
  } catch (const std::exception& error) {
    return {base::ErrorKind::internal,
            {.attempted = attempted,
             .subject = "an internal error",
             .remedy = "Please report it with the log",
             .detail = error.what()}};
  }
}

}  // namespace

RunDriver::RunDriver(ControllerOptions options, Mailbox& mailbox)
    : options_(std::move(options)), mailbox_(mailbox) {}

void RunDriver::run(const std::stop_token& closing) {
  while (!closing.stop_requested()) {
    while (const std::optional<Command> command = mailbox_.take_next()) {
      guarded([&] { handle(*command); });
    }
    if (has_work()) {
      publish_before_work();
      work();
    } else {
      if (is_unpublished_) publish();
      mailbox_.wait(closing, is_at_rest(current_.state) ? Rest::until_commanded : Rest::none);
    }
  }
  if (refusal(current_.state, Action::stop) == nullptr) {
    guarded([this] { stop_run(); });
  }
}

void RunDriver::handle(const Command& command) {
  const Action action = action_of(command);
  if (const char* const reason = refusal(current_.state, action)) {
    refuse(action, reason);
    return;
  }
  std::visit([this](const auto& each) { apply(each); }, command);
}

void RunDriver::refuse(Action action, std::string reason) {
  emit(CommandRefused{.action = action, .reason = std::move(reason)});
}

void RunDriver::apply(const Configure& command) {
  emit(Configured{command.request});
  transition(Trigger::configure);
}

void RunDriver::apply(const StartRun&) { transition(Trigger::start); }

void RunDriver::apply(const Pause&) {
  transition(Trigger::pause);
  if (is_unsaved_) save();
}

void RunDriver::apply(const Resume&) { transition(Trigger::resume); }

void RunDriver::apply(const StopAndSave&) { stop_run(); }

void RunDriver::apply(const SaveNow&) { save(); }

void RunDriver::apply(const SetPlan& command) {
  const std::size_t stages = current_.facts->stages.size();
  if (command.plan.size() != stages) {
    refuse(Action::set_plan, fmt::format("The plan is for {} stages, the network has {}.",
                                         command.plan.size(), stages));
    return;
  }
  try {
    parts_.session->set_plan(command.plan);
  } catch (const base::Error& error) {
    // A policy that this network or device has not; the plan before stays in force.
    if (error.kind() != base::ErrorKind::usage) throw;
    refuse(Action::set_plan, error.what());
    return;
  }
  is_unsaved_ = true;
  emit(PlanRequested{command.plan});
}

void RunDriver::apply(const SetLearningRate& command) {
  if (!std::isfinite(command.peak_rate) || command.peak_rate <= 0) {
    refuse(Action::set_learning_rate,
           fmt::format("The learning rate {} is not above 0.", command.peak_rate));
    return;
  }
  parts_.session->set_learning_rate(command.peak_rate);
  is_unsaved_ = true;
  emit(LearningRateSet{.step = current_.steps_done + 1, .peak_rate = command.peak_rate});
}

void RunDriver::apply(const RunSelfTest&) {
  if (!options_.self_test) {
    refuse(Action::self_test, "This program has no self-test.");
    return;
  }
  if (is_unpublished_) publish();
  const std::stop_token stop = mailbox_.begin_work(current_.state);
  SelfTestReport report;
  try {
    report = options_.self_test(stop);
  } catch (...) {
    // A machine on which it cannot be done is a result too; there is no run that could fail.
    const base::Error error = error_of(std::current_exception(), "running the self-test");
    const std::string& detail = error.parts().detail;
    report = {.problem =
                  detail.empty() ? error.what() : fmt::format("{} ({})", error.what(), detail)};
  }
  mailbox_.end_work();
  // Only the end of the program interrupts it; half a test says nothing.
  if (!stop.stop_requested()) emit(SelfTestDone{std::move(report)});
}

void RunDriver::apply(const Calibrate& command) {
  if (!options_.calibrate) {
    refuse(Action::calibrate, "This program cannot calibrate.");
    return;
  }
  emit(CalibrationBegun{command.settings});
  if (is_unpublished_) publish();
  const std::stop_token stop = mailbox_.begin_work(current_.state, WorkKind::measurement);
  CalibrationEnded ended;
  try {
    ended.costs = std::make_shared<const plan::StepCosts>(options_.calibrate(
        command.settings, [this](std::int64_t steps) { report(steps); }, stop));
  } catch (...) {
    const base::Error error = error_of(std::current_exception(), "calibrating");
    ended = {.costs = nullptr, .kind = error.kind(), .error = error.parts()};
  }
  mailbox_.end_work();
  emit(ended);
}

/// What a person changes meanwhile in the settings counts at once: it is about a run to come.
void RunDriver::report(std::int64_t calibration_steps) {
  for (const Command& command : mailbox_.take_leading(Action::configure)) handle(command);
  emit(CalibrationProgressed{calibration_steps});
}

void RunDriver::apply(const CheckFit& command) {
  const FitCheckRequest& request = command.request;
  if (!options_.check_fit) {
    refuse(Action::check_fit, "This program cannot check sizes.");
    return;
  }
  if (!request.cell.fits() || !request.costs) {
    refuse(Action::check_fit, "Only a size that is predicted to fit can be checked.");
    return;
  }
  emit(FitCheckBegun{request.cell.shape});
  if (is_unpublished_) publish();
  const std::stop_token stop = mailbox_.begin_work(current_.state, WorkKind::measurement);
  FitCheckEnded ended;
  try {
    ended.report = FitCheckReport{.cost_key = cost_key(request.settings),
                                  .shape = request.cell.shape,
                                  .plan = request.cell.cheapest->plan,
                                  .budget_bytes = request.limits.budget_bytes,
                                  .peak_bytes = options_.check_fit(request, stop)};
  } catch (...) {
    const base::Error error = error_of(std::current_exception(), "checking what fits");
    ended = {.report = std::nullopt, .kind = error.kind(), .error = error.parts()};
  }
  mailbox_.end_work();
  emit(ended);
}

/// What it cancels was interrupted when it was posted, or had ended.
void RunDriver::apply(const CancelMeasurement&) {}

bool RunDriver::has_work() const {
  return current_.state == RunState::preparing || current_.state == RunState::training ||
         current_.state == RunState::validating;
}

void RunDriver::work() {
  const auto begin = options_.clock();
  const std::stop_token stop = mailbox_.begin_work(current_.state);
  guarded([&] {
    try {
      if (current_.state == RunState::preparing) {
        prepare(stop);
      } else if (current_.state == RunState::validating) {
        validate(stop);
      } else {
        advance(stop);
      }
    } catch (const base::Error& error) {
      // Abandoned for a command that waits, or for the end: nothing was applied, and it is done
      // again unless the command changes the state.
      if (error.kind() != base::ErrorKind::interrupted || !stop.stop_requested()) throw;
    }
  });
  mailbox_.end_work();
  last_work_ = options_.clock() - begin;
}

void RunDriver::prepare(const std::stop_token& stop) {
  parts_ =
      options_.make_session(*current_.request, [this](base::Severity severity, std::string text) {
        emit(LogLine{.severity = severity, .text = std::move(text)});
      });
  auto facts = std::make_shared<const SessionFacts>(parts_.session->prepare(stop));
  last_validated_step_ = facts->last_validated_step;
  saved_step_ = facts->first_step;
  is_unsaved_ = facts->first_step == 0;
  last_save_ = options_.clock();
  plan_effect_ = {};
  emit(Prepared{std::move(facts)});
  recall();
  transition(Trigger::prepared);
}

/// A run that is continued shows the steps before too.
void RunDriver::recall() {
  if (current_.facts->first_step == 0) return;
  emit(RecordRead{std::make_shared<const RecordedRun>(
      read_record(current_.request->run_folder, *current_.facts))});
  if (!current_.plan_marks.empty()) plan_effect_.begin(current_.plan_marks.back());
}

void RunDriver::advance(const std::stop_token& stop) {
  if (validation_is_due()) {
    transition(Trigger::validation_due);
  } else if (current_.steps_done >= current_.facts->steps) {
    complete_run();
  } else {
    if (save_is_due()) save();
    step(stop);
  }
}

void RunDriver::step(const std::stop_token& stop) {
  StepReport report;
  if (!succeeds(RepeatedWork::step, [&] { report = parts_.session->step(stop); })) return;
  is_unsaved_ = true;
  if (report.plan != current_.applied_plan ||
      report.tiles_at_once != current_.plan_marks.back().tiles_at_once) {
    change_plan(report);
  }
  const std::optional<PlanMeasured> measured = plan_effect_.add(report);
  emit(StepDone{std::move(report)});
  emit_if_any(measured);
}

template <typename Attempt>
bool RunDriver::succeeds(RepeatedWork work, Attempt attempt) {
  std::optional<base::Error> refusal;
  try {
    attempt();
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::out_of_memory) throw;
    refusal = error;
  }
  if (!refusal) return true;
  relieve_memory(work, *refusal);
  return false;
}

void RunDriver::relieve_memory(RepeatedWork work, const base::Error& refusal) {
  MemoryRelief relief = parts_.session->relieve_memory(work, refusal);
  is_unsaved_ = true;
  emit(MemoryRelieved{std::move(relief)});
}

void RunDriver::change_plan(const StepReport& report) {
  emit_if_any(plan_effect_.finish());
  const std::vector<MemoryRelief>& reliefs = current_.memory_reliefs;
  const bool is_forced = !reliefs.empty() && reliefs.back().work == RepeatedWork::step &&
                         reliefs.back().step == report.step &&
                         reliefs.back().after.plan == report.plan;
  emit(PlanApplied{.step = report.step,
                   .plan = report.plan,
                   .tiles_at_once = report.tiles_at_once,
                   .cause = is_forced ? PlanCause::out_of_memory : PlanCause::asked});
  plan_effect_.begin(current_.plan_marks.back());
}

void RunDriver::validate(const std::stop_token& stop) {
  ValidationReport report;
  if (!succeeds(RepeatedWork::validation, [&] { report = parts_.session->validate(stop); })) return;
  is_unsaved_ = true;
  last_validated_step_ = current_.steps_done;
  emit(ValidationDone{std::move(report)});
  transition(Trigger::validated);
}

bool RunDriver::validation_is_due() const {
  const std::int64_t done = current_.steps_done;
  const std::int64_t every = current_.facts->validate_every;
  if (done == 0 || done == last_validated_step_) return false;
  return done >= current_.facts->steps || (every > 0 && done % every == 0);
}

bool RunDriver::save_is_due() const {
  const std::chrono::seconds interval(current_.request->settings.train.save_every_seconds);
  return options_.clock() - last_save_ >= interval;
}

void RunDriver::save() {
  const auto begin = options_.clock();
  is_saving_ = true;
  std::int64_t bytes = 0;
  while (!succeeds(RepeatedWork::save, [&] { bytes = parts_.session->save(); })) {
  }
  is_saving_ = false;
  is_unsaved_ = false;
  saved_step_ = current_.steps_done;
  last_save_ = options_.clock();
  emit(Saved{
      .step = saved_step_, .bytes = bytes, .seconds = base::seconds_between(begin, last_save_)});
}

void RunDriver::stop_run() {
  const bool is_prepared = current_.facts != nullptr;
  transition(Trigger::stop);
  if (is_prepared && is_unsaved_) save();
  emit_if_any(plan_effect_.finish());
  emit(Finished{.outcome = Outcome::stopped, .step = current_.steps_done});
  transition(Trigger::stopped);
  end_run();
}

void RunDriver::complete_run() {
  if (is_unsaved_) save();
  emit_if_any(plan_effect_.finish());
  emit(Finished{.outcome = Outcome::completed, .step = current_.steps_done});
  transition(Trigger::all_steps_done);
  end_run();
}

void RunDriver::end_run() {
  parts_ = {};
  plan_effect_ = {};
  is_unsaved_ = false;
  is_saving_ = false;
  saved_step_ = 0;
}

template <typename Function>
void RunDriver::guarded(Function action) {
  std::exception_ptr problem;
  try {
    action();
  } catch (...) {
    problem = std::current_exception();
  }
  if (!problem) return;
  const base::Error error = error_of(problem);
  fail(error.kind(), error.parts());
}

void RunDriver::fail(base::ErrorKind kind, base::ErrorParts parts) {
  const std::optional<RunState> failed = next_state(current_.state, Trigger::failure);
  if (!failed) {
    // No run is under way that could fail: a sink of the program could not take an event.
    emit_in_failure(LogLine{.severity = base::Severity::error,
                            .text = base::Error(kind, std::move(parts)).what()});
    end_run();
    return;
  }
  if (kind != base::ErrorKind::internal) save_after_failure();
  if (const std::optional<PlanMeasured> measured = plan_effect_.finish()) {
    emit_in_failure(*measured);
  }
  emit_in_failure(Failed{.kind = kind,
                         .error = std::move(parts),
                         .step = current_.steps_done,
                         .saved_step = saved_step_});
  emit_in_failure(StateChanged{.from = current_.state, .to = *failed});
  end_run();
}

void RunDriver::save_after_failure() {
  if (is_saving_ || current_.steps_done <= saved_step_) return;
  try {
    save();
  } catch (const std::exception& problem) {
    emit_in_failure(LogLine{
        .severity = base::Severity::error,
        .text = fmt::format("The state could not be saved after the failure: {}", problem.what())});
  }
}

void RunDriver::transition(Trigger trigger) {
  const RunState from = current_.state;
  const std::optional<RunState> to = next_state(from, trigger);
  if (!to) {
    throw base::Error(base::ErrorKind::internal,
                      {.attempted = "changing the run's state",
                       .subject = fmt::format("{} has no way out by trigger {}", name_of(from),
                                              static_cast<int>(trigger)),
                       .remedy = "Please report it with the log"});
  }
  emit(StateChanged{.from = from, .to = *to});
}

void RunDriver::emit(const Event& event) {
  if (const std::exception_ptr problem = deliver(event)) std::rethrow_exception(problem);
}

void RunDriver::emit_in_failure(const Event& event) {
  if (const std::exception_ptr problem = deliver(event)) {
    note(LogLine{.severity = base::Severity::error, .text = error_of(problem).what()});
  }
}

std::exception_ptr RunDriver::deliver(const Event& event) {
  note(event);
  std::exception_ptr first_problem;
  for (auto* const sinks : {&options_.sinks, &parts_.sinks}) {
    std::erase_if(*sinks, [&](const std::unique_ptr<EventSink>& sink) {
      try {
        sink->handle(event);
        return false;
      } catch (...) {
        if (!first_problem) first_problem = std::current_exception();
        return true;
      }
    });
  }
  return first_problem;
}

void RunDriver::note(const Event& event) {
  current_ = reduce(std::move(current_), event, options_.wall_clock());
  is_unpublished_ = true;
  if (std::holds_alternative<StateChanged>(event) ||
      options_.clock() - last_publish_ >= kPublishInterval) {
    publish();
  }
}

void RunDriver::publish() {
  mailbox_.publish(std::make_shared<const RunSnapshot>(current_));
  is_unpublished_ = false;
  last_publish_ = options_.clock();
  if (options_.on_publish) options_.on_publish();
}

void RunDriver::publish_before_work() {
  // Quick steps publish for themselves soon; before a slow one everything must be out.
  if (is_unpublished_ && last_work_ >= kPublishInterval) publish();
}

}  // namespace headroom::run
