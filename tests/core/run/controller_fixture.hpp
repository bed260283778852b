// A controller that drives a FakeSession, with a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/run/controller.hpp"
#include "tests/core/run/fake_session.hpp"

namespace headroom::run {

[[noreturn]] inline void throw_error(base::ErrorKind kind) {
  throw base::Error(kind, {.attempted = "a", .subject = "b", .remedy = "c"});
}

class ControllerWithFake : public testing::Test {
 protected:
  /// Options whose clock stands still unless the test moves it.
  ControllerOptions options() {
    ControllerOptions options;
    options.make_session = [this](const RunRequest&, SessionLog log) {
      log(base::Severity::info, "made");
      RunParts parts;
      parts.session = std::make_unique<FakeSession>(world_);
      parts.sinks.push_back(run_events_.sink());
      return parts;
    };
    options.sinks.push_back(events_.sink());
    options.clock = [this] {
      return std::chrono::steady_clock::time_point(std::chrono::milliseconds(now_ms_.load()));
    };
    options.on_publish = watch_.on_publish();
    return options;
  }

  void start(ControllerOptions options) {
    controller_ = std::make_unique<RunController>(std::move(options));
    controller_->post(Configure{request_});
    controller_->post(StartRun{});
  }
  void start() { start(options()); }

  [[nodiscard]] std::shared_ptr<const RunSnapshot> wait_for(RunState state) const {
    return watch_.wait_until(*controller_,
                             [state](const RunSnapshot& each) { return each.state == state; });
  }

  [[nodiscard]] std::vector<std::int64_t> steps_done() const {
    std::vector<std::int64_t> steps;
    for (const StepDone& done : events_.of<StepDone>()) steps.push_back(done.report.step);
    return steps;
  }

  [[nodiscard]] std::vector<std::int64_t> validated_steps() const {
    std::vector<std::int64_t> steps;
    for (const ValidationDone& done : events_.of<ValidationDone>()) {
      steps.push_back(done.report.step);
    }
    return steps;
  }

  FakeWorld world_{};
  RunRequest request_{};
  EventLog events_{};
  EventLog run_events_{};
  SnapshotWatch watch_{};
  std::atomic<std::int64_t> now_ms_ = 1'000'000;
  std::unique_ptr<RunController> controller_{};
};

}  // namespace headroom::run
