#pragma once
// Bytes and seconds of one training step, by phase and stage. Owned and called by the worker. The
// trainer opens and closes a step and its phases; the network marks its stages with StageScope; the
// engine reports what it repeats.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/meter.hpp"
#include "core/plan/phase.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::memory {

struct StageMeasurement {
  std::int64_t kept_bytes = 0;          ///< live growth over its forward, its output included
  std::int64_t bytes_at_peak = 0;       ///< allocated by it and live at the step's peak
  std::int64_t regions = 0;             ///< regions of it whose values backward has to repeat
  std::int64_t recomputed_regions = 0;  ///< how many of them were repeated
  double forward_seconds = 0;
  double backward_seconds = 0;  ///< without recompute
  double recompute_seconds = 0;
};

struct StepMeasurement {
  plan::PhaseSeconds seconds{};  ///< recompute is not contained in backward
  double total_seconds = 0;
  std::int64_t live_before_bytes = 0;
  std::int64_t peak_bytes = 0;        ///< above live_before_bytes
  std::int64_t peak_total_bytes = 0;  ///< their sum
  std::int64_t reserved_bytes = 0;    ///< highest in the step
  int peak_stage = kNoStage;
  plan::Phase peak_phase = plan::Phase::data;
  std::vector<StageMeasurement> stages{};  ///< by stage; the head is one more
  /// Where it was asked for and the device is a CPU; null else, and for a step with more events
  /// than there was room for: the next one has more.
  std::shared_ptr<const plan::StepTimeline> timeline{};
};

/// What a step that is recorded event by event is called in its timeline.
struct TimelineRequest {
  std::int64_t step = 0;
  std::vector<std::string> stages{};  ///< their names, without the head
  plan::Plan plan{};
  double seconds_before = 0;  ///< what the step spent on data before it was opened here
  /// A point for each, however many, and no tensors; else at most kPoints, and those of the peak.
  bool has_every_event = false;
};

/// What a tensor is to the training. Activations and their gradients need no naming: they are known
/// by the operation that makes them.
enum class TensorUse { parameter, gradient, buffer, optimizer_state, batch, kept_copy };

/// What is worked on at a moment.
struct Work {
  plan::Phase phase = plan::Phase::data;
  int stage = kNoStage;
};

class RecorderState;

class StepRecorder {
 public:
  /// `stages`: how many the network has; the head is measured as one more.
  StepRecorder(c10::Device device, std::int64_t stages);
  ~StepRecorder();
  StepRecorder(const StepRecorder&) = delete;
  StepRecorder& operator=(const StepRecorder&) = delete;

  /// Opens the window of a step (phase data). The recorder becomes this thread's active one. One
  /// step at a time can be recorded for a timeline in a process.
  void begin_step(std::optional<TimelineRequest> timeline = std::nullopt);
  /// The step that runs is recorded for a timeline.
  [[nodiscard]] bool is_recorded() const;
  /// What the tensor is called where it is live at the peak of a step that is recorded; `name` as
  /// in "enc1.conv_a.weight". Does nothing in others. The tensor is not kept.
  void name_tensor(const at::Tensor& tensor, TensorUse use, const std::string& name);
  /// Ends the phase that runs and starts `phase`; may be entered again and again (micro-batches).
  void enter(plan::Phase phase);
  [[nodiscard]] StepMeasurement end_step();
  /// Closes the step without a result, after an exception.
  void abandon_step() noexcept;

 private:
  std::shared_ptr<RecorderState> state_;
};

/// The forward of one stage: what is allocated, kept and spent inside is the stage's. Costs nothing
/// but two clock readings.
class StageScope {
 public:
  explicit StageScope(int stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  int stage_;
  StageMark mark_;
  std::shared_ptr<RecorderState> recorder_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t live_before_bytes_ = 0;
  Work outer_work_{};
};

/// From the moment backward has the gradient of `stage_output`, what it does is the stage's.
/// `at_border`, where given, is called there and may throw to end the backward. Does nothing where
/// the output needs no gradient.
void mark_backward(const at::Tensor& stage_output, int stage, std::function<void()> at_border);

}  // namespace headroom::memory
