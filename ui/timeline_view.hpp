#pragma once
// A step's timeline made ready for drawing: bands stacked upon each other, and what runs when. Made
// once per timeline. Pure; any thread.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/step_timeline.hpp"

namespace headroom::ui {

/// What one owner holds, on top of the owners below it.
struct TimelineBand {
  std::size_t owner = 0;
  std::vector<double> ms{}, lower{}, upper{};  ///< bytes; only from first to last byte held
};

/// A stretch of the strips above the chart.
struct TimelineBlock {
  double begin_ms = 0, end_ms = 0;
  plan::Phase phase = plan::Phase::data;
  int owner = plan::TimelineSpan::kNoOwner;
};

struct TimelineView {
  std::shared_ptr<const plan::StepTimeline> timeline{};
  double total_ms = 0;
  std::vector<double> ms{};             ///< [points]
  std::vector<double> total{};          ///< [points], bytes
  std::vector<TimelineBand> bands{};    ///< "other" first, then the stages in order, then head
  std::vector<TimelineBlock> phases{};  ///< neighbours of one phase as one; loss is forward
  std::vector<TimelineBlock> stages{};  ///< neighbours of one owner as one
  std::size_t peak_point = 0;
};

/// Nothing where the timeline is null, empty or contradicts itself.
[[nodiscard]] std::optional<TimelineView> view_of(
    std::shared_ptr<const plan::StepTimeline> timeline);

/// The stage's name, "head", or "weights and other".
[[nodiscard]] std::string owner_title(const plan::StepTimeline& timeline, std::size_t owner);

/// Bytes of an owner at a time, and of all: of the latest point at or before it.
struct HeldBytes {
  std::int64_t own = 0, total = 0;
};
[[nodiscard]] HeldBytes held_at(const TimelineView& view, double ms, std::size_t owner);

/// The band that contains a point of the chart; null where none does.
[[nodiscard]] const TimelineBand* band_at(const TimelineView& view, double ms, double bytes);

}  // namespace headroom::ui
