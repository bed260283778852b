#pragma once
// Finds out which stages' policies decide the bytes of each moment of a step, and how the bytes
// grow with the pixels, from steps that were recorded event by event. Pure; owned and called by
// calibration.
//
// A plan is recorded at three sizes. Its steps do the same allocations in the same order, so that
// each event has three byte counts, and from them its growth: what is highest at a size that was
// never run is found among all events, not only among those that were highest at the three.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/plan/event_pairs.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_costs.hpp"

namespace headroom::plan {

/// One moment of one plan.
struct MomentRecord {
  Plan plan{};
  std::vector<std::vector<Affine>> bytes_by_owner{};  ///< as PairedMoment's
};

class BytesFit {
 public:
  BytesFit(std::size_t stages, std::vector<Policy> policies);

  /// Throws base::Error (internal) as pair_events does.
  void add(const RecordedSizes& recorded);

  /// The moments by what was added so far.
  [[nodiscard]] std::vector<StepMoment> moments() const;
  /// Plans that hold, together, every combination of policies that a table of `moments` lacks.
  [[nodiscard]] std::vector<Plan> plans_to_record(const std::vector<StepMoment>& moments) const;

 private:
  using MomentKey = std::pair<Phase, int>;  ///< and the stage at work

  [[nodiscard]] StepMoment moment_of(const MomentKey& key) const;
  /// What `owners` have together, by the policies of `deciding` and of further stages that prove to
  /// decide too.
  [[nodiscard]] CostTable table_of(const std::vector<MomentRecord>& records,
                                   const std::vector<std::size_t>& owners,
                                   std::vector<std::size_t> deciding) const;

  std::size_t stages_;
  std::vector<Policy> policies_;
  StepPixels largest_{};             ///< that was recorded
  std::vector<StepPixels> sizes_{};  ///< at which plans are compared
  std::vector<MomentKey> order_{};   ///< of the moments
  std::map<MomentKey, std::vector<MomentRecord>> records_{};
};

}  // namespace headroom::plan
