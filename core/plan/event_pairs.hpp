#pragma once
// The events of one plan's step at three sizes, paired, moment by moment. Pure.

#include <cstdint>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/step_costs.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::plan {

/// A step with a point for every event.
struct RecordedStep {
  StepPixels pixels{};
  StepTimeline timeline{};
};

/// The same plan's step at three sizes.
struct RecordedSizes {
  RecordedStep small{};    ///< one image
  RecordedStep batched{};  ///< several images of that size
  RecordedStep large{};    ///< one image that is larger
};

/// A stretch of the step in which one stage is at work. What a backward repeats belongs to the
/// stage whose backward comes next; micro-batches add to the same moments.
struct PairedMoment {
  Phase phase = Phase::data;
  int owner = TimelineSpan::kNoOwner;
  std::vector<std::vector<Affine>> bytes_by_owner{};  ///< [events, StepTimeline::owners]
};

/// In the order of the step, as functions of the pixels. An allocation that only the large size
/// makes, or only the batched one (a kernel that wants a work buffer from some size or some number
/// of images on), counts with its bytes there at every size; one that a single small image makes
/// and the large one does not does not count. Throws base::Error (internal) where the steps
/// are not of the same plan and stages, where they have other moments, or sizes that tell nothing.
[[nodiscard]] std::vector<PairedMoment> pair_events(const RecordedSizes& recorded);

}  // namespace headroom::plan
