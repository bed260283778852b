// A session without tensors whose every move the test decides and sees. Its "weights" are a number
// that each step changes, so that a lost or doubled step shows.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/run/controller.hpp"

namespace headroom::run {

/// What a call of the session can be told to do first: throw, move the clock, …
using Deed = std::function<void()>;

/// What the test and the session share. Set up before the run; then only through its functions.
class FakeWorld {
 public:
  std::int64_t steps = 10;
  std::int64_t validate_every = 5;
  std::int64_t first_step = 0;
  std::int64_t last_validated_step = 0;
  std::int64_t save_bytes = 1000;
  std::map<std::int64_t, Deed> at_step{};  ///< before the step of that number
  Deed at_each_step{};
  Deed at_prepare{};
  Deed at_validate{};
  Deed at_save{};
  Deed at_set_plan{};
  /// Plans that are tried one after another when memory runs out.
  std::vector<plan::Plan> memory_plans{};

  /// The call ("step 3", "validate 5", "prepare") will wait until it is released or stopped.
  void block(const std::string& call);
  void release(const std::string& call);
  /// Waits until the session is inside that call and waits there.
  void wait_until_inside(const std::string& call);

  /// Called by the session. Throws base::Error (interrupted).
  void enter(const std::string& call, const std::stop_token& stop);
  void note(const std::string& call);

  /// All calls in order: "prepare", "step 1", "interrupted", "save", …
  [[nodiscard]] std::vector<std::string> calls() const;
  [[nodiscard]] std::int64_t count(const std::string& call) const;

  double weights = 0;  ///< of the session that ended last

 private:
  mutable std::mutex mutex_{};
  std::condition_variable_any changed_{};
  std::set<std::string> blocked_{};
  std::string inside_{};
  std::vector<std::string> calls_{};
};

/// The weights after `steps` steps, however often the run was interrupted.
[[nodiscard]] double expected_weights(std::int64_t steps);

class FakeSession : public Session {
 public:
  explicit FakeSession(FakeWorld& world) : world_(world) {}
  ~FakeSession() override { world_.weights = weights_; }

 private:
  SessionFacts do_prepare(std::stop_token stop) override;
  StepReport do_step(std::stop_token stop) override;
  ValidationReport do_validate(std::stop_token stop) override;
  std::int64_t do_save() override;
  MemoryRelief do_relieve_memory(RepeatedWork work, const base::Error& refusal) override;
  void do_set_plan(const plan::Plan& plan) override;
  void do_set_learning_rate(double peak_rate) override { learning_rate_ = peak_rate; }

  FakeWorld& world_;
  std::int64_t done_ = 0;
  double weights_ = 0;
  double learning_rate_ = 1e-3;
  plan::Plan plan_{};
};

/// Keeps every event, for the test to look at when the run is done or from another thread.
class EventLog {
 public:
  [[nodiscard]] std::unique_ptr<EventSink> sink();
  [[nodiscard]] std::vector<Event> events() const;

  template <typename Kind>
  [[nodiscard]] std::vector<Kind> of() const {
    std::vector<Kind> found;
    for (const Event& event : events()) {
      if (const auto* const each = std::get_if<Kind>(&event)) found.push_back(*each);
    }
    return found;
  }

 private:
  struct Shared {
    std::mutex mutex{};
    std::vector<Event> events{};
  };
  class Sink;

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

/// Lets a test wait for a snapshot without polling. Install on_publish() in the controller's
/// options.
class SnapshotWatch {
 public:
  [[nodiscard]] std::function<void()> on_publish();
  [[nodiscard]] std::int64_t published() const;
  /// The first published snapshot that fulfils `condition`; null after ten seconds without one.
  [[nodiscard]] std::shared_ptr<const RunSnapshot> wait_until(
      const RunController& controller,
      const std::function<bool(const RunSnapshot&)>& condition) const;

 private:
  mutable std::mutex mutex_{};
  mutable std::condition_variable changed_{};
  std::int64_t published_ = 0;
};

}  // namespace headroom::run
