#include "tests/core/run/fake_session.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::run {
namespace {

constexpr std::int64_t kStepsPerEpoch = 4;

double after_step(double weights, std::int64_t step) {
  return weights * 0.9 + std::sqrt(static_cast<double>(step));
}

}  // namespace

void FakeWorld::block(const std::string& call) {
  const std::lock_guard lock(mutex_);
  blocked_.insert(call);
}

void FakeWorld::release(const std::string& call) {
  {
    const std::lock_guard lock(mutex_);
    blocked_.erase(call);
  }
  changed_.notify_all();
}

void FakeWorld::wait_until_inside(const std::string& call) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return inside_ == call; });
}

void FakeWorld::enter(const std::string& call, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  calls_.push_back(call);
  if (blocked_.contains(call)) {
    inside_ = call;
    changed_.notify_all();
    changed_.wait(lock, stop, [&] { return !blocked_.contains(call); });
    inside_.clear();
  }
  if (!stop.stop_requested()) return;
  calls_.emplace_back("interrupted");
  throw base::Error(base::ErrorKind::interrupted,
                    {.attempted = "faking", .subject = call, .remedy = ""});
}

void FakeWorld::note(const std::string& call) {
  const std::lock_guard lock(mutex_);
  calls_.push_back(call);
}

std::vector<std::string> FakeWorld::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::int64_t FakeWorld::count(const std::string& call) const {
  const std::lock_guard lock(mutex_);
  return std::count(calls_.begin(), calls_.end(), call);
}

double expected_weights(std::int64_t steps) {
  double weights = 0;
  for (std::int64_t step = 1; step <= steps; ++step) weights = after_step(weights, step);
  return weights;
}

SessionFacts FakeSession::do_prepare(std::stop_token stop) {
  world_.enter("prepare", stop);
  if (world_.at_prepare) world_.at_prepare();
  done_ = world_.first_step;
  weights_ = expected_weights(done_);
  plan_ = plan::Plan(3, plan::Policy::keep);
  SessionFacts facts;
  facts.stages = {"enc1", "enc2", "dec1"};
  facts.steps = world_.steps;
  facts.steps_per_epoch = kStepsPerEpoch;
  facts.validate_every = world_.validate_every;
  facts.first_step = world_.first_step;
  facts.last_validated_step = world_.last_validated_step;
  facts.plan = plan_;
  facts.class_names = {"background", "cell, \"round\""};
  facts.dataset.fingerprint = "f1";
  return facts;
}

StepReport FakeSession::do_step(std::stop_token stop) {
  const std::int64_t step = done_ + 1;
  world_.enter("step " + std::to_string(step), stop);
  if (world_.at_each_step) world_.at_each_step();
  if (const auto deed = world_.at_step.find(step); deed != world_.at_step.end()) deed->second();
  done_ = step;
  weights_ = after_step(weights_, step);
  StepReport report;
  report.step = step;
  report.epoch = (step - 1) / kStepsPerEpoch;
  report.loss = 1.0 / static_cast<double>(step);
  report.learning_rate = learning_rate_;
  report.seconds = {0.5, 1, 0.25, 2, 0, 0.125, 0, 0};
  report.total_seconds = 3.875;
  report.peak_bytes = 100 + step;
  report.peak_total_bytes = 1100 + step;
  report.plan = plan_;
  return report;
}

ValidationReport FakeSession::do_validate(std::stop_token stop) {
  world_.enter("validate " + std::to_string(done_), stop);
  if (world_.at_validate) world_.at_validate();
  ValidationReport report;
  report.step = done_;
  report.mean_dice = 0.5;
  report.classes = {{"background", 0.5, 0.625}, {"cell, \"round\"", std::nan(""), std::nan("")}};
  return report;
}

std::int64_t FakeSession::do_save() {
  world_.note("save");
  if (world_.at_save) world_.at_save();
  return world_.save_bytes;
}

MemoryRelief FakeSession::do_relieve_memory(RepeatedWork work, const base::Error& refusal) {
  world_.note("relieve " + std::string(name_of(work)));
  if (world_.memory_plans.empty()) throw refusal;
  const bool is_step = work == RepeatedWork::step;
  MemoryRelief relief{.work = work,
                      .step = is_step ? done_ + 1 : done_,
                      .refused_bytes = 3 << 20,
                      .budget_bytes = 2 << 20,
                      .before = {plan_, 4},
                      .after = {plan_, 4}};
  if (is_step) relief.after.plan = plan_ = world_.memory_plans.front();
  world_.memory_plans.erase(world_.memory_plans.begin());
  return relief;
}

void FakeSession::do_set_plan(const plan::Plan& plan) {
  if (world_.at_set_plan) world_.at_set_plan();
  plan_ = plan;
}

class EventLog::Sink : public EventSink {
 public:
  explicit Sink(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

 private:
  void do_handle(const Event& event) override {
    const std::lock_guard lock(shared_->mutex);
    shared_->events.push_back(event);
  }

  std::shared_ptr<Shared> shared_;
};

std::unique_ptr<EventSink> EventLog::sink() { return std::make_unique<Sink>(shared_); }

std::vector<Event> EventLog::events() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->events;
}

std::function<void()> SnapshotWatch::on_publish() {
  return [this] {
    {
      const std::lock_guard lock(mutex_);
      ++published_;
    }
    changed_.notify_all();
  };
}

std::int64_t SnapshotWatch::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

std::shared_ptr<const RunSnapshot> SnapshotWatch::wait_until(
    const RunController& controller,
    const std::function<bool(const RunSnapshot&)>& condition) const {
  std::shared_ptr<const RunSnapshot> found;
  std::unique_lock lock(mutex_);
  const bool happened = changed_.wait_for(lock, std::chrono::seconds(10), [&] {
    found = controller.snapshot();
    return condition(*found);
  });
  return happened ? found : nullptr;
}

}  // namespace headroom::run
