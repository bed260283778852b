#pragma once
// Where the costs of a network come from: the calibration that this program made, or one of before.
// Owned by the program behind the dashboard; every method on one thread, none waits.

#include <memory>
#include <optional>
#include <string>

#include "core/plan/step_costs.hpp"
#include "core/run/calibration.hpp"
#include "core/run/jobs.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::run {

class CostsSource {
 public:
  /// `find` is called on the thread of `jobs`, which outlives this; empty: nothing was stored.
  CostsSource(FindCostsFunction find, JobQueue& jobs);

  /// The network whose costs are wanted from now on.
  void want(const base::Settings& settings);
  /// Takes what was found or calibrated. True when something has changed. What was not there is
  /// looked for again when a run was prepared, which may have measured it.
  bool poll(const RunSnapshot& run);

  /// Null: not known, or not yet.
  [[nodiscard]] const std::shared_ptr<const plan::StepCosts>& costs() const { return costs_; }
  [[nodiscard]] bool is_looking() const { return looking_.has_value(); }

 private:
  using Found = std::shared_ptr<const plan::StepCosts>;

  void look();

  FindCostsFunction find_;
  JobQueue& jobs_;
  base::Settings settings_{};  ///< whose costs are wanted
  std::string key_{};          ///< their cost_key; empty: nothing is wanted
  Found costs_{};
  Found calibrated_{};                           ///< as the run showed it last
  std::shared_ptr<const SessionFacts> facts_{};  ///< as the run showed them last
  std::optional<Job<Found>> looking_{};
};

}  // namespace headroom::run
