#pragma once
// Drives one run at a time on a worker thread of its own. Commands go in from any thread and never
// wait; events come out on the worker; the latest snapshot can be had at any time.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/duration.hpp"
#include "core/run/calibration.hpp"
#include "core/run/command.hpp"
#include "core/run/event.hpp"
#include "core/run/session.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::run {

/// For what a session has to tell; called on the worker thread only.
using SessionLog = std::function<void(base::Severity, std::string)>;

/// A session and what records it; both live as long as the run.
struct RunParts {
  std::unique_ptr<Session> session{};
  std::vector<std::unique_ptr<EventSink>>
      sinks{};  ///< get every event from Prepared to Finished or Failed
};

/// Called on the worker thread when a run starts. Throws base::Error.
using SessionFactory = std::function<RunParts(const RunRequest&, SessionLog)>;

struct ControllerOptions {
  SessionFactory make_session{};
  std::vector<std::unique_ptr<EventSink>> sinks{};  ///< get every event of every run
  /// What RunSelfTest calls on the worker; empty: the command is refused. Throws base::Error.
  std::function<SelfTestReport(std::stop_token)> self_test{};
  /// What Calibrate calls on the worker; empty: the command is refused.
  CalibrationFunction calibrate{};
  /// What CheckFit calls on the worker; empty: the command is refused.
  FitCheckFunction check_fit{};
  base::SteadyClock clock = std::chrono::steady_clock::now;
  base::WallClock wall_clock = std::chrono::system_clock::now;
  std::function<void()>
      on_publish{};  ///< called on the worker after a snapshot was published; may be empty
};

class RunController {
 public:
  explicit RunController(ControllerOptions options);
  /// Stops a run that is under way, saves its state, and joins the worker.
  ~RunController();
  RunController(const RunController&) = delete;
  RunController& operator=(const RunController&) = delete;

  /// Any thread. Pause and StopAndSave reach into a step or validation that runs: it is abandoned,
  /// and is the first one after resume. Others are applied before the next step.
  void post(Command command);
  /// Any thread; never null.
  [[nodiscard]] std::shared_ptr<const RunSnapshot> snapshot() const;
  /// Waits until all commands posted before are done and no run is under way (state empty, ready,
  /// finished or failed), and returns the snapshot of then. A paused run is under way.
  [[nodiscard]] std::shared_ptr<const RunSnapshot> wait_until_done() const;

 private:
  class Worker;

  std::unique_ptr<Worker> worker_;
};

}  // namespace headroom::run
