#include "core/run/mailbox.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace headroom::run {
namespace {

bool can_interrupt(Action action, WorkKind kind) {
  if (kind == WorkKind::measurement)
    return action == Action::cancel_measurement || action == Action::start;
  return action == Action::pause || action == Action::stop;
}

bool interrupts(const Command& command, RunState state, WorkKind kind) {
  const Action action = action_of(command);
  return can_interrupt(action, kind) && refusal(state, action) == nullptr;
}

}  // namespace

void Mailbox::post(Command command) {
  std::stop_source interrupted(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    if (interrupts(command, work_state_, work_kind_)) interrupted = work_;
    commands_.push_back(std::move(command));
    resting_ = false;
  }
  // Runs the session's stop callbacks: not under the lock.
  interrupted.request_stop();
  wake_.notify_one();
}

std::shared_ptr<const RunSnapshot> Mailbox::snapshot() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

std::shared_ptr<const RunSnapshot> Mailbox::wait_until_rest() const {
  std::unique_lock lock(mutex_);
  rested_.wait(lock, [this] { return resting_; });
  return published_;
}

void Mailbox::close() {
  std::stop_source interrupted(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    interrupted = work_;
  }
  interrupted.request_stop();
}

std::optional<Command> Mailbox::take_next() {
  const std::lock_guard lock(mutex_);
  if (commands_.empty()) return std::nullopt;
  std::optional<Command> next = std::move(commands_.front());
  commands_.pop_front();
  return next;
}

std::deque<Command> Mailbox::take_leading(Action action) {
  const std::lock_guard lock(mutex_);
  const auto end = std::find_if(commands_.begin(), commands_.end(), [&](const Command& command) {
    return action_of(command) != action;
  });
  std::deque<Command> taken(std::make_move_iterator(commands_.begin()),
                            std::make_move_iterator(end));
  commands_.erase(commands_.begin(), end);
  return taken;
}

void Mailbox::wait(const std::stop_token& closing, Rest rest) {
  std::unique_lock lock(mutex_);
  if (rest == Rest::until_commanded && commands_.empty()) {
    resting_ = true;
    rested_.notify_all();
  }
  wake_.wait(lock, closing, [this] { return !commands_.empty(); });
}

std::stop_token Mailbox::begin_work(RunState state, WorkKind kind) {
  const std::lock_guard lock(mutex_);
  work_ = std::stop_source();
  work_state_ = state;
  work_kind_ = kind;
  const bool is_interrupted =
      closed_ || std::any_of(commands_.begin(), commands_.end(), [&](const Command& command) {
        return interrupts(command, state, kind);
      });
  if (is_interrupted) work_.request_stop();
  return work_.get_token();
}

void Mailbox::end_work() {
  const std::lock_guard lock(mutex_);
  work_ = std::stop_source(std::nostopstate);
  work_state_ = RunState::empty;
}

void Mailbox::publish(std::shared_ptr<const RunSnapshot> snapshot) {
  const std::lock_guard lock(mutex_);
  published_.swap(snapshot);  // the old one is freed by the caller's copy, after the lock
}

}  // namespace headroom::run
