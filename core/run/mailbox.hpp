#pragma once
// Where other threads and the worker of a RunController meet: commands go in, the published
// snapshot comes out. Owned by the controller. Each function says who may call it.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "core/run/command.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::run {

enum class Rest { none, until_commanded };

/// What can interrupt it: Pause and StopAndSave, or CancelMeasurement and StartRun.
enum class WorkKind { run, measurement };

class Mailbox {
 public:
  /// Any thread. A command that may interrupt what the worker does now does so.
  void post(Command command);
  /// Any thread.
  [[nodiscard]] std::shared_ptr<const RunSnapshot> snapshot() const;
  /// Any thread: waits until the worker rests with no command left.
  [[nodiscard]] std::shared_ptr<const RunSnapshot> wait_until_rest() const;
  /// The owner, once, before it joins the worker: interrupts whatever runs from now on.
  void close();

  /// Worker: the command that waited longest; nothing where none waits. Those behind it stay where
  /// begin_work sees them.
  [[nodiscard]] std::optional<Command> take_next();
  /// Worker: those in front that are of `action`, up to the first other.
  [[nodiscard]] std::deque<Command> take_leading(Action action);
  /// Worker: waits for a command or the end. `rest`: no run is under way.
  void wait(const std::stop_token& closing, Rest rest);
  /// Worker: for work in `state`; stop is requested when a command is (or was) posted that `state`
  /// allows and that ends the work.
  [[nodiscard]] std::stop_token begin_work(RunState state, WorkKind kind = WorkKind::run);
  /// Worker.
  void end_work();
  void publish(std::shared_ptr<const RunSnapshot> snapshot);

 private:
  mutable std::mutex mutex_{};
  std::condition_variable_any wake_{};
  mutable std::condition_variable rested_{};
  std::deque<Command> commands_{};
  std::stop_source work_{std::nostopstate};  ///< of what runs now
  RunState work_state_ = RunState::empty;
  WorkKind work_kind_ = WorkKind::run;
  bool closed_ = false;
  bool resting_ = false;
  std::shared_ptr<const RunSnapshot> published_ = std::make_shared<const RunSnapshot>();
};

}  // namespace headroom::run
