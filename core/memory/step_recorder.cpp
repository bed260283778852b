#include "core/memory/step_recorder.hpp"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <utility>

#include "core/base/elapsed.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/memory/recorder_state.hpp"

namespace headroom::memory {
namespace {

using Clock = RecorderState::Clock;

RecomputeTimer*& innermost_timer() {
  thread_local RecomputeTimer* timer = nullptr;
  return timer;
}

}  // namespace

RecorderState::RecorderState(c10::Device device, std::int64_t stages)
    : device_(device), meter_(meter_of(device)), stage_count_(stages) {}

StageMeasurement* RecorderState::stage(int index) {
  return index >= 0 && index <= stage_count_ ? &step_.stages[static_cast<std::size_t>(index)]
                                             : nullptr;
}

void RecorderState::wait_for_device() const {
  if (!device_.is_cpu()) {
    c10::impl::VirtualGuardImpl(device_.type()).synchronizeDevice(device_.index());
  }
}

void RecorderState::begin_step(std::optional<TimelineRequest> timeline) {
  wait_for_device();
  step_ = {};
  step_.stages.resize(static_cast<std::size_t>(stage_count_ + 1));
  phase_recompute_seconds_ = stage_recompute_seconds_ = 0;
  backward_stage_ = kNoStage;
  phase_ = thread_marks().phase = plan::Phase::data;
  work_ = {};
  timeline_.reset();
  meter_.begin_window();
  // A GPU's allocator tells nobody of single blocks.
  const bool is_recorded = timeline && device_.is_cpu();
  if (is_recorded) timeline_.emplace(*std::move(timeline), timeline_events_);
  step_start_ = phase_start_ = Clock::now();
  if (is_recorded) timeline_->begin(step_start_);
}

Work RecorderState::switch_to(Work work, Clock::time_point now) {
  if (timeline_) timeline_->switch_to(work, now);
  return std::exchange(work_, work);
}

void RecorderState::close_phase() {
  wait_for_device();
  const auto now = Clock::now();
  close_backward_stage(now);
  step_.seconds[static_cast<std::size_t>(phase_)] +=
      base::seconds_between(phase_start_, now) - phase_recompute_seconds_;
  step_.seconds[static_cast<std::size_t>(plan::Phase::recompute)] += phase_recompute_seconds_;
  phase_recompute_seconds_ = 0;
  phase_start_ = now;
}

void RecorderState::enter(plan::Phase phase) {
  close_phase();
  phase_ = thread_marks().phase = phase;
  switch_to({phase, kNoStage}, phase_start_);
}

StepMeasurement RecorderState::end_step() {
  close_phase();
  step_.total_seconds = base::seconds_between(step_start_, phase_start_);
  const MeterReading reading = meter_.reading();
  step_.live_before_bytes = reading.live_before_bytes;
  step_.peak_total_bytes = reading.peak_bytes;
  step_.peak_bytes = reading.peak_bytes - reading.live_before_bytes;
  step_.reserved_bytes = reading.peak_reserved_bytes;
  step_.peak_stage = reading.peak_stage;
  step_.peak_phase = reading.peak_phase;
  for (std::size_t s = 0; s < step_.stages.size(); ++s) {
    step_.stages[s].bytes_at_peak = reading.at_peak_by_stage[s + 1];
  }
  StepMeasurement measured = step_;
  if (timeline_) {
    measured.timeline = timeline_->end(phase_start_, reading);
    if (!measured.timeline) timeline_events_ *= 4;
    timeline_.reset();
  }
  return measured;
}

void RecorderState::add_forward(int index, double seconds, std::int64_t kept_bytes) {
  if (StageMeasurement* measured = stage(index)) {
    measured->forward_seconds += seconds;
    measured->kept_bytes = std::max(measured->kept_bytes, kept_bytes);
  }
}

void RecorderState::add_region(int index) {
  if (StageMeasurement* measured = stage(index)) {
    ++measured->regions;
  }
}

void RecorderState::add_recomputed_region(int index) {
  if (StageMeasurement* measured = stage(index)) {
    ++measured->recomputed_regions;
  }
}

void RecorderState::add_recompute(int index, double own_seconds, double outermost_seconds) {
  if (StageMeasurement* measured = stage(index)) {
    measured->recompute_seconds += own_seconds;
  }
  phase_recompute_seconds_ += outermost_seconds;
  stage_recompute_seconds_ += outermost_seconds;
}

void RecorderState::close_backward_stage(Clock::time_point now) {
  if (StageMeasurement* measured = stage(backward_stage_)) {
    measured->backward_seconds +=
        base::seconds_between(backward_start_, now) - stage_recompute_seconds_;
  }
  stage_recompute_seconds_ = 0;
  backward_stage_ = thread_marks().stage = kNoStage;
}

void RecorderState::enter_backward(int index) {
  const auto now = Clock::now();
  close_backward_stage(now);
  backward_stage_ = thread_marks().stage = index;
  backward_start_ = now;
  switch_to({plan::Phase::backward, index}, now);
}

std::shared_ptr<RecorderState>& active_recorder() {
  thread_local std::shared_ptr<RecorderState> recorder;
  return recorder;
}

RecomputeTimer::RecomputeTimer(std::shared_ptr<RecorderState> recorder, int stage)
    : recorder_(std::move(recorder)),
      stage_(stage),
      stage_mark_(stage),
      phase_mark_(plan::Phase::recompute),
      outer_(std::exchange(innermost_timer(), this)),
      start_(Clock::now()) {
  if (recorder_) {
    outer_work_ = recorder_->switch_to({plan::Phase::recompute, stage}, start_);
  }
}

RecomputeTimer::~RecomputeTimer() {
  innermost_timer() = outer_;
  const auto now = Clock::now();
  const double seconds = base::seconds_between(start_, now);
  if (outer_ != nullptr) {
    outer_->inner_seconds_ += seconds;
  }
  if (recorder_) {
    recorder_->add_recompute(stage_, seconds - inner_seconds_, outer_ == nullptr ? seconds : 0);
    recorder_->switch_to(outer_work_, now);
  }
}

StepRecorder::StepRecorder(c10::Device device, std::int64_t stages)
    : state_(std::make_shared<RecorderState>(device, stages)) {}

StepRecorder::~StepRecorder() { abandon_step(); }

void StepRecorder::begin_step(std::optional<TimelineRequest> timeline) {
  state_->begin_step(std::move(timeline));
  active_recorder() = state_;
}

bool StepRecorder::is_recorded() const { return state_->timeline() != nullptr; }

void StepRecorder::name_tensor(const at::Tensor& tensor, TensorUse use, const std::string& name) {
  if (TimelineRecording* timeline = state_->timeline()) timeline->name_tensor(tensor, use, name);
}

void StepRecorder::enter(plan::Phase phase) { state_->enter(phase); }

StepMeasurement StepRecorder::end_step() {
  StepMeasurement measured = state_->end_step();
  abandon_step();
  return measured;
}

void StepRecorder::abandon_step() noexcept {
  state_->abandon_step();
  if (active_recorder() == state_) {
    active_recorder() = nullptr;
    thread_marks() = {};
  }
}

StageScope::StageScope(int stage)
    : stage_(stage), mark_(stage), recorder_(active_recorder()), start_(Clock::now()) {
  if (recorder_) {
    live_before_bytes_ = recorder_->live_bytes();
    outer_work_ = recorder_->switch_to({thread_marks().phase, stage}, start_);
  }
}

StageScope::~StageScope() {
  if (recorder_) {
    const auto now = Clock::now();
    recorder_->add_forward(stage_, base::seconds_between(start_, now),
                           recorder_->live_bytes() - live_before_bytes_);
    recorder_->switch_to(outer_work_, now);
  }
}

void mark_backward(const at::Tensor& stage_output, int stage, std::function<void()> at_border) {
  if (!stage_output.requires_grad()) {
    return;
  }
  stage_output.register_hook(
      [stage, recorder = active_recorder(), at_border = std::move(at_border)](const at::Tensor&) {
        if (at_border) {
          at_border();
        }
        if (recorder) {
          recorder->enter_backward(stage);
        }
      });
}

}  // namespace headroom::memory
