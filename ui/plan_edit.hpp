#pragma once
// What a person does to the plan: choices that count at once though the run takes them between
// steps, strokes over several stages as one change, undo. No drawing; the UI thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/plan/plan.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::ui {

/// The plan that the run has taken last, or that its settings tell of before it is prepared; of as
/// many policies as the network has stages, empty where no network is known.
[[nodiscard]] plan::Plan plan_of(const run::RunSnapshot& run);
/// The next policy that `policies` has after `policy`, in the order of the enumeration; the same
/// where there is no other.
[[nodiscard]] plan::Policy next_policy(plan::Policy policy,
                                       const std::vector<plan::Policy>& policies);

class PlanEdit {
 public:
  static constexpr std::size_t kUndoSteps = 256;

  /// Compares with the latest snapshot; to be called before anything else in each frame. What was
  /// asked for is forgotten when the run has taken it, refuses it, or is another run. `seconds`:
  /// steady time.
  void observe(const run::RunSnapshot& run, double seconds);

  /// What counts for the person: the stroke that is being drawn, else what was asked for last, else
  /// what the run has taken.
  [[nodiscard]] const plan::Plan& plan() const;

  // Each returns the plan to ask the run for; nothing where nothing changes.
  [[nodiscard]] std::optional<plan::Plan> choose(std::size_t stage, plan::Policy policy);
  [[nodiscard]] std::optional<plan::Plan> replace(plan::Plan plan);
  [[nodiscard]] std::optional<plan::Plan> undo();
  [[nodiscard]] std::optional<plan::Plan> end_stroke();

  void begin_stroke(std::size_t stage, plan::Policy policy);
  /// Gives the stroke's policy to one more stage.
  void paint(std::size_t stage);
  void cancel_stroke() { stroke_.reset(); }
  [[nodiscard]] bool is_stroking() const { return stroke_.has_value(); }

  [[nodiscard]] bool can_undo() const { return !undo_.empty(); }

 private:
  struct Stroke {
    plan::Plan plan{};
    plan::Policy policy = plan::Policy::keep;
  };

  [[nodiscard]] const plan::Plan& last_asked() const;
  std::optional<plan::Plan> ask(plan::Plan plan);
  void forget_taken(const plan::Plan& taken);

  plan::Plan taken_{};               ///< by the run, as the latest snapshot shows it
  std::vector<plan::Plan> asked_{};  ///< not seen in a snapshot yet, latest last
  std::vector<plan::Plan> undo_{};   ///< plans before each change, latest last
  std::optional<Stroke> stroke_{};
  std::filesystem::path run_folder_{};
  double asked_at_ = 0;                ///< steady seconds of the latest request
  std::int64_t asked_after_step_ = 0;  ///< steps done when it was made
  double now_ = 0;
  std::int64_t steps_done_ = 0;
  bool has_steps_ = true;  ///< false while a run is configured: its plan is then a setting
};

}  // namespace headroom::ui
