#pragma once
// The events of one plan's step at two sizes, paired, moment by moment. Pure.

#include <cstdint>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/step_costs.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::plan {

/// A step with a point for every event, and the pixels of its batch, padded.
struct RecordedStep {
  std::int64_t pixels = 0;
  StepTimeline timeline{};
};

/// A stretch of the step in which one stage is at work. What a backward repeats belongs to the
/// stage whose backward comes next; micro-batches add to the same moments.
struct PairedMoment {
  Phase phase = Phase::data;
  int owner = TimelineSpan::kNoOwner;
  std::vector<std::vector<Affine>> bytes_by_owner{};  ///< [events, StepTimeline::owners]
};

/// In the order of the step. An allocation that only the larger size makes (a kernel that wants a
/// work buffer from some size on) counts with its bytes there at every size; one that only the
/// smaller makes does not count. Throws base::Error (internal) where the two steps are not of the
/// same plan and stages, where they have other moments, or equal sizes.
[[nodiscard]] std::vector<PairedMoment> pair_events(const RecordedStep& small,
                                                    const RecordedStep& large);

}  // namespace headroom::plan
