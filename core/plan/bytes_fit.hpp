#pragma once
// Finds out which stages' policies decide the bytes of each moment of a step, and how the bytes
// grow with the pixels, from steps that were recorded event by event. Pure; owned and called by
// calibration.
//
// A plan is recorded at two sizes. Its steps do the same allocations in the same order, so that
// each event has two byte counts, and between them its growth: what is highest at a size that was
// never run is found among all events, not only among those that were highest at the two sizes.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/plan/event_pairs.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::plan {

class BytesFit {
 public:
  BytesFit(std::size_t stages, std::vector<Policy> policies);

  /// The same plan at two sizes. Throws base::Error (internal) where the two did not do the same
  /// allocations, or the sizes are equal.
  void add(const RecordedStep& small, const RecordedStep& large);

  /// The moments by what was added so far.
  [[nodiscard]] std::vector<StepMoment> moments() const;
  /// Plans that hold, together, every combination of policies that a table of `moments` lacks.
  [[nodiscard]] std::vector<Plan> plans_to_record(const std::vector<StepMoment>& moments) const;

 private:
  using MomentKey = std::pair<Phase, int>;  ///< and the stage at work
  /// One moment of one plan: [events, owners].
  struct Observation {
    Plan plan{};
    std::vector<std::vector<Affine>> bytes_by_owner{};
  };

  [[nodiscard]] StepMoment moment_of(const MomentKey& key) const;

  std::size_t stages_;
  std::vector<Policy> policies_;
  std::int64_t smallest_pixels_ = std::numeric_limits<std::int64_t>::max(), largest_pixels_ = 0;
  std::vector<MomentKey> order_{};  ///< of the moments
  std::map<MomentKey, std::vector<Observation>> observations_{};
};

}  // namespace headroom::plan
