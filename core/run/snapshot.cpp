#include "core/run/snapshot.hpp"

#include <algorithm>
#include <utility>

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

/// What belongs to one run; the log, the request and the state outlive it.
RunSnapshot without_run(RunSnapshot snapshot) {
  return {.revision = snapshot.revision,
          .state = snapshot.state,
          .request = std::move(snapshot.request),
          .log = std::move(snapshot.log)};
}

class Reducer {
 public:
  explicit Reducer(RunSnapshot snapshot) : next_(std::move(snapshot)) { ++next_.revision; }

  void operator()(const Configured& event) { next_.request = event.request; }

  void operator()(const StateChanged& event) {
    if (event.to == RunState::preparing || event.to == RunState::ready) {
      next_ = without_run(std::move(next_));
    }
    next_.state = event.to;
  }

  void operator()(const Prepared& event) {
    next_.facts = event.facts;
    next_.steps_done = event.facts->first_step;
    next_.requested_plan = event.facts->plan;
  }

  void operator()(const StepDone& event) {
    next_.steps_done = event.report.step;
    next_.history.add(event.report);
    next_.last_step = event.report;
  }

  void operator()(const ValidationDone& event) {
    if (next_.validations.size() == RunSnapshot::kValidations) thin_out(next_.validations);
    next_.validations.push_back(event.report);
    next_.validation_seconds += event.report.seconds;
    next_.validation_peak_bytes =
        std::max(next_.validation_peak_bytes, event.report.peak_total_bytes);
  }

  void operator()(const PlanRequested& event) { next_.requested_plan = event.plan; }

  void operator()(const PlanApplied& event) {
    next_.applied_plan = event.plan;
    append_bounded(next_.plan_marks, event, RunSnapshot::kPlanMarks);
  }

  void operator()(const LearningRateSet& event) { next_.learning_rate = event; }
  void operator()(const Saved& event) {
    next_.last_save = event;
    next_.save_seconds += event.seconds;
  }
  void operator()(const LogLine& event) {
    append_bounded(next_.log, event, RunSnapshot::kLogLines);
  }

  void operator()(const CommandRefused& event) {
    (*this)(LogLine{.severity = base::Severity::warning, .text = event.reason});
  }

  void operator()(const Finished& event) { next_.outcome = event.outcome; }

  void operator()(const Failed& event) {
    next_.error = event;
    (*this)(LogLine{.severity = base::Severity::error,
                    .text = base::Error(event.kind, event.error).what()});
  }

  [[nodiscard]] RunSnapshot take() { return std::move(next_); }

 private:
  RunSnapshot next_;
};

}  // namespace

RunSnapshot reduce(RunSnapshot snapshot, const Event& event) {
  Reducer reducer(std::move(snapshot));
  std::visit(reducer, event);
  return reducer.take();
}

}  // namespace headroom::run
