#pragma once
// Timelines of steps whose every byte is known, for tests: what is at work and what changes, in
// order.

#include <cstddef>
#include <cstdint>

#include "core/plan/event_pairs.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::tests {

/// Owners are the stages of the plan, the head and, the last, other. An event takes a second.
class StepScript {
 public:
  explicit StepScript(plan::Plan plan);

  /// From here on `owner` is at work.
  StepScript& enter(plan::Phase phase, int owner = plan::TimelineSpan::kNoOwner);
  /// An allocation; negative: bytes are freed.
  StepScript& change(std::size_t owner, std::int64_t bytes);

  [[nodiscard]] const plan::StepTimeline& timeline() const { return timeline_; }

 private:
  plan::StepTimeline timeline_;
};

/// Sides of 128 and 192, and a batch of 2 of the first.
inline constexpr plan::StepPixels kSmallPixels = {.step = 128 * 128, .image = 128 * 128};
inline constexpr plan::StepPixels kBatchedPixels = {.step = 2 * 128 * 128, .image = 128 * 128};
inline constexpr plan::StepPixels kLargePixels = {.step = 192 * 192, .image = 192 * 192};

/// `timeline_of(pixels)` at the three sizes.
template <typename TimelineOf>
plan::RecordedSizes recorded_sizes(const TimelineOf& timeline_of) {
  const auto step_of = [&](const plan::StepPixels& pixels) {
    return plan::RecordedStep{.pixels = pixels, .timeline = timeline_of(pixels)};
  };
  return {.small = step_of(kSmallPixels),
          .batched = step_of(kBatchedPixels),
          .large = step_of(kLargePixels)};
}

}  // namespace headroom::tests
