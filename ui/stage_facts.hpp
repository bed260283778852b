#pragma once
// What is known of each stage of the network, gathered from a snapshot once a frame: everything
// that the U, the inspector and the table show. Values; the UI thread.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/plan.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::ui {

/// A stage, or the head. What was not measured is not there.
struct StageFacts {
  std::string name{};
  plan::Policy policy = plan::Policy::keep;          ///< as asked for last
  bool is_head = false;                              ///< always kept
  bool is_next = false;                              ///< the last step ran with another policy
  bool is_peak = false;                              ///< it holds the step's peak
  std::int64_t channels = 0, height = 0, width = 0;  ///< of its output; 0: not known
  std::optional<std::int64_t> kept_bytes{};          ///< in the last step
  std::optional<std::int64_t> keep_bytes{};          ///< when it last ran with Keep
  std::optional<double> seconds{};                   ///< forward, backward, recompute; of late
  std::optional<double> share_of_peak{};             ///< 0 … 1
  run::PolicyMeasurements measured{};

  [[nodiscard]] const std::optional<run::PolicyMeasurement>& under(plan::Policy of) const {
    return measured[static_cast<std::size_t>(of)];
  }
  /// The most that it is known to keep; 0: nothing is known.
  [[nodiscard]] std::int64_t outline_bytes() const;
  /// What it keeps under the policy asked for, or in the last step where that was not measured.
  [[nodiscard]] std::int64_t solid_bytes() const;
};

struct NetworkFacts {
  std::vector<StageFacts> stages{};      ///< the head last; empty: no network is known
  std::vector<plan::Policy> policies{};  ///< that the run can do
  std::vector<double> skip_bytes{};      ///< by level; empty: not known
  std::string refusal{};                 ///< not empty: why the plan cannot be changed now
  bool has_step = false;                 ///< a step was measured

  /// Of the stages without the head.
  [[nodiscard]] std::size_t plan_size() const { return stages.empty() ? 0 : stages.size() - 1; }
  /// As asked for last.
  [[nodiscard]] plan::Plan plan() const;
  /// False where the run cannot do it whatever its state; true while that is not known.
  [[nodiscard]] bool offers(plan::Policy policy) const;
  /// Empty: `stage` can be given `policy`.
  [[nodiscard]] std::string refusal_of(std::size_t stage, plan::Policy policy) const;
};

/// Of the network that is trained, or that the settings tell of; without the head. Empty where
/// nothing is known.
[[nodiscard]] std::vector<std::string> stage_names(const run::RunSnapshot& run);

/// True while a run is configured and not started: a plan is then a setting of its request.
[[nodiscard]] bool is_before_start(const run::RunSnapshot& run);

/// `chosen`: the plan that counts for the person.
[[nodiscard]] NetworkFacts network_facts(const run::RunSnapshot& run, const plan::Plan& chosen);

/// Peak and step time of all Keep, as measured before or after a change of plan in this run.
struct AllKeep {
  std::int64_t peak_bytes = 0;
  double step_seconds = 0;
};
[[nodiscard]] std::optional<AllKeep> measured_all_keep(const run::RunSnapshot& run);

/// What a step takes under the plan of the last one, without waiting for data, which is not the
/// plan's doing: as it was measured for the plan's mark, else the median of its latest steps. 0:
/// no step was measured.
[[nodiscard]] double plan_step_seconds(const run::RunSnapshot& run);

}  // namespace headroom::ui
