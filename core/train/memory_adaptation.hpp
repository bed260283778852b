#pragma once
// The form in which a training computes its steps, and how it changes when one does not fit. Owned
// and called by the worker.

#include <cstdint>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/settings.hpp"
#include "core/plan/memory_ladder.hpp"
#include "core/train/staged_model.hpp"
#include "core/train/train_step.hpp"

namespace headroom::train {

class MemoryAdaptation {
 public:
  /// Model and step outlive this object; the model's plan counts as the one that was asked for.
  MemoryAdaptation(StagedModel& model, TrainStep& step, const base::StepSettings& settings,
                   plan::NextForm next_form);

  /// What the next step runs with.
  [[nodiscard]] plan::StepForm form() const;
  /// A person's choice; the tiles at once stay.
  void set_plan(const plan::Plan& plan);
  /// `tiles`: 0, or not fewer than a micro-batch has: all of them.
  void set_tiles_at_once(std::int64_t tiles);
  /// As above; 0 where a micro-batch is computed in one.
  [[nodiscard]] std::int64_t tiles_at_once() const { return tiles_at_once_; }

  /// Of a step that was done with form().
  void note_peak(std::int64_t peak_total_bytes);
  /// Takes the form to try after a step with form() was refused, and would have needed
  /// `refused_bytes` at least. When none is left it throws `refusal` with what is needed as its
  /// remedy, and the form is what it was before the step was first refused: with more memory the
  /// run goes on as it was.
  void leave_form(std::int64_t refused_bytes, const base::Error& refusal);

 private:
  void take(const plan::StepForm& form);
  [[nodiscard]] bool can_train_on(std::int64_t tiles) const;
  [[nodiscard]] std::int64_t least_part() const;
  [[nodiscard]] std::int64_t least_bytes() const;

  StagedModel& model_;
  TrainStep& step_;
  const base::StepSettings& settings_;
  plan::NextForm next_form_;
  plan::MemoryRecord record_;
  std::int64_t tiles_at_once_ = 0;
  std::optional<plan::StepForm> before_refusals_;  ///< while a step is refused
};

}  // namespace headroom::train
