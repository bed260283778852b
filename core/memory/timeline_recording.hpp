#pragma once
// The recording of one step, allocation by allocation, and how it becomes the timeline that people
// see. Owned by the step's recorder; used by the one thread that writes it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/memory/cpu_meter.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/memory/tensor_log.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::memory {

/// The owner in a timeline of a network with `stages` stages: a stage itself, the head, or, behind
/// it, "other".
[[nodiscard]] std::size_t timeline_owner(int stage, std::size_t stages);

/// Fills in seconds, live_bytes and peak_point from what the meter recorded since `start`, which is
/// `seconds_before` after the step's beginning. Points are the state at `start` and after each
/// event; where that makes more than `most`, time is cut into `most` equal stretches, and each that
/// has an event gives its highest point.
void add_points(plan::StepTimeline& timeline, const MeterRecording& recording,
                std::chrono::steady_clock::time_point start, double seconds_before,
                std::size_t most = plan::StepTimeline::kPoints);

class TimelineRecording {
 public:
  using Clock = std::chrono::steady_clock;

  /// Room for so many events is made at first.
  static constexpr std::size_t kFirstEvents = std::size_t{1} << 16;

  /// The CPU's meter records from here on.
  TimelineRecording(TimelineRequest request, std::size_t most_events);
  /// The meter records no longer.
  ~TimelineRecording();
  TimelineRecording(const TimelineRecording&) = delete;
  TimelineRecording& operator=(const TimelineRecording&) = delete;

  void begin(Clock::time_point now);
  void switch_to(Work work, Clock::time_point now);
  void name_tensor(const at::Tensor& tensor, TensorUse use, const std::string& name) {
    if (tensors_) tensors_->name(tensor, use, name);
  }
  /// `reading`: the meter's, of the step. Null when there was no room for every event.
  [[nodiscard]] std::shared_ptr<const plan::StepTimeline> end(Clock::time_point now,
                                                              const MeterReading& reading);

 private:
  [[nodiscard]] double seconds_at(Clock::time_point now) const;
  [[nodiscard]] int owner_at_work(int stage) const;
  void close_span(double end_seconds);

  TimelineRequest request_;
  std::optional<TensorLog> tensors_{};
  Clock::time_point start_{};
  plan::TimelineSpan span_{};  ///< the one that goes on now
  std::vector<plan::TimelineSpan> spans_{};
};

}  // namespace headroom::memory
