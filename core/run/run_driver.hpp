#pragma once
// The worker's side of a RunController: takes commands, drives the session, emits events.
// Everything here runs on the worker thread.

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/controller.hpp"
#include "core/run/mailbox.hpp"
#include "core/run/plan_effect.hpp"

namespace headroom::run {

class RunDriver {
 public:
  RunDriver(ControllerOptions options, Mailbox& mailbox);

  /// Until `closing` is requested; then a run that is under way is stopped and saved.
  void run(const std::stop_token& closing);

 private:
  // What commands do; the state allows them.
  void apply(const Configure& command);
  void apply(const StartRun& command);
  void apply(const Pause& command);
  void apply(const Resume& command);
  void apply(const StopAndSave& command);
  void apply(const SaveNow& command);
  void apply(const SetPlan& command);
  void apply(const SetLearningRate& command);
  void apply(const RunSelfTest& command);
  void apply(const Calibrate& command);
  void apply(const CheckFit& command);
  void apply(const CancelMeasurement& command);
  void report(std::int64_t calibration_steps);
  void handle(const Command& command);
  void refuse(Action action, std::string reason);

  // What a state does by itself, one piece at a time; interruptible through the mailbox.
  [[nodiscard]] bool has_work() const;
  void work();
  void prepare(const std::stop_token& stop);
  void recall();
  void advance(const std::stop_token& stop);
  void step(const std::stop_token& stop);
  void validate(const std::stop_token& stop);

  /// Calls `attempt`. When it throws out_of_memory something is changed and told, and the answer is
  /// false: it is to be attempted again. Throws when nothing can be changed.
  template <typename Attempt>
  [[nodiscard]] bool succeeds(RepeatedWork work, Attempt attempt);
  void relieve_memory(RepeatedWork work, const base::Error& refusal);
  void change_plan(const StepReport& report);
  [[nodiscard]] bool validation_is_due() const;
  [[nodiscard]] bool save_is_due() const;
  void save();
  void stop_run();
  void complete_run();
  void end_run();

  /// Calls `action`; whatever it throws fails the run.
  template <typename Function>
  void guarded(Function action);
  void fail(base::ErrorKind kind, base::ErrorParts parts);
  void save_after_failure();

  void transition(Trigger trigger);
  template <typename Kind>
  void emit_if_any(const std::optional<Kind>& event) {
    if (event) emit(*event);
  }
  /// Into the snapshot and to all sinks. Throws what a sink threw; that sink gets no further event.
  void emit(const Event& event);
  /// The same, but what sinks threw becomes a line of the log.
  void emit_in_failure(const Event& event);
  [[nodiscard]] std::exception_ptr deliver(const Event& event);
  void note(const Event& event);
  void publish();
  void publish_before_work();

  ControllerOptions options_;
  Mailbox& mailbox_;
  RunSnapshot current_{};
  RunParts parts_{};

  PlanEffect plan_effect_{};

  std::int64_t last_validated_step_ = 0;
  std::int64_t saved_step_ = 0;
  bool is_unsaved_ = false;  ///< the session holds what its saved state does not
  bool is_saving_ = false;   ///< true after a save that threw
  std::chrono::steady_clock::time_point last_save_{};

  bool is_unpublished_ = false;
  std::chrono::steady_clock::time_point last_publish_{};
  std::chrono::steady_clock::duration last_work_ = std::chrono::steady_clock::duration::max();
};

}  // namespace headroom::run
