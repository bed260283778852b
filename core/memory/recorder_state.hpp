#pragma once
// What a StepRecorder, the stage scopes and the checkpointing engine share while a step runs. One
// thread at a time writes it: the worker, or, in the backward of an accelerator, LibTorch's device
// thread while the worker waits for it.

#include <c10/core/Device.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/memory/step_recorder.hpp"
#include "core/memory/timeline_recording.hpp"

namespace headroom::memory {

class RecorderState {
 public:
  using Clock = std::chrono::steady_clock;

  RecorderState(c10::Device device, std::int64_t stages);

  void begin_step(std::optional<TimelineRequest> timeline);
  void enter(plan::Phase phase);
  [[nodiscard]] StepMeasurement end_step();
  void abandon_step() noexcept { timeline_.reset(); }
  /// Of the step that runs; null where it is not recorded.
  [[nodiscard]] TimelineRecording* timeline() { return timeline_ ? &*timeline_ : nullptr; }

  /// From `now` on this is worked on; returns what was before. Seen by the timeline only.
  Work switch_to(Work work, Clock::time_point now);
  void add_forward(int stage, double seconds, std::int64_t kept_bytes);
  void add_region(int stage);
  void add_recomputed_region(int stage);
  /// `own_seconds` without what it repeated in turn; `outermost_seconds` is 0 inside another
  /// repeat.
  void add_recompute(int stage, double own_seconds, double outermost_seconds);
  void enter_backward(int stage);
  [[nodiscard]] std::int64_t live_bytes() const { return meter_.reading().live_bytes; }

 private:
  [[nodiscard]] StageMeasurement* stage(int index);
  void close_phase();
  void close_backward_stage(Clock::time_point now);
  void wait_for_device() const;

  c10::Device device_;
  MemoryMeter& meter_;
  std::int64_t stage_count_;
  StepMeasurement step_;
  plan::Phase phase_ = plan::Phase::data;
  Clock::time_point step_start_, phase_start_, backward_start_;
  double phase_recompute_seconds_ = 0;
  double stage_recompute_seconds_ = 0;
  int backward_stage_ = kNoStage;
  Work work_{};
  std::optional<TimelineRecording> timeline_{};  ///< of the step that runs, where it is recorded
  std::size_t timeline_events_ = TimelineRecording::kFirstEvents;
};

/// The recorder of the step that runs on this thread; empty outside steps.
[[nodiscard]] std::shared_ptr<RecorderState>& active_recorder();

/// Charges the time of its scope to a stage's recompute. Nests: the inner one's time is not the
/// outer one's.
class RecomputeTimer {
 public:
  RecomputeTimer(std::shared_ptr<RecorderState> recorder, int stage);
  ~RecomputeTimer();
  RecomputeTimer(const RecomputeTimer&) = delete;
  RecomputeTimer& operator=(const RecomputeTimer&) = delete;

 private:
  std::shared_ptr<RecorderState> recorder_;
  int stage_;
  StageMark stage_mark_;
  PhaseMark phase_mark_;
  RecomputeTimer* outer_;
  Work outer_work_{};
  RecorderState::Clock::time_point start_;
  double inner_seconds_ = 0;
};

}  // namespace headroom::memory
