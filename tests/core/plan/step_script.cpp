#include "tests/core/plan/step_script.hpp"

#include <string>
#include <utility>

namespace headroom::tests {

StepScript::StepScript(plan::Plan plan) {
  for (std::size_t stage = 0; stage < plan.size(); ++stage) {
    timeline_.owners.push_back("stage" + std::to_string(stage));
  }
  timeline_.owners.insert(timeline_.owners.end(), {"head", "other"});
  timeline_.plan = std::move(plan);
  timeline_.seconds = {0.0};
  timeline_.live_bytes.assign(timeline_.owners.size(), 0);
  timeline_.spans = {{.phase = plan::Phase::data}};
}

StepScript& StepScript::enter(plan::Phase phase, int owner) {
  const double now = timeline_.seconds.back();
  timeline_.spans.push_back(
      {.begin_seconds = now, .end_seconds = now, .phase = phase, .owner = owner});
  return *this;
}

StepScript& StepScript::change(std::size_t owner, std::int64_t bytes) {
  const std::size_t owners = timeline_.owners.size(), last = timeline_.seconds.size() - 1;
  for (std::size_t each = 0; each < owners; ++each) {
    const std::int64_t before = timeline_.bytes(last, each);
    timeline_.live_bytes.push_back(each == owner ? before + bytes : before);
  }
  timeline_.seconds.push_back(timeline_.seconds.back() + 1);
  timeline_.spans.back().end_seconds = timeline_.total_seconds = timeline_.seconds.back();
  const std::size_t point = last + 1;
  if (timeline_.total_bytes(point) > timeline_.total_bytes(timeline_.peak_point)) {
    timeline_.peak_point = point;
    timeline_.peak_phase = timeline_.spans.back().phase;
    timeline_.peak_owner = timeline_.spans.back().owner;
  }
  return *this;
}

}  // namespace headroom::tests
