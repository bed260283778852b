#pragma once
// What the worker thread drives: a training session. core/train implements it with tensors; tests
// implement it with a fake. Every method is called on the worker thread only.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/dataset_summary.hpp"
#include "core/base/error.hpp"
#include "core/plan/phase.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_timeline.hpp"
#include "core/run/memory_relief.hpp"
#include "core/run/preview.hpp"

namespace headroom::run {

/// What one stage did in the last step, as measured.
struct StageReport {
  std::string name{};
  plan::Policy policy = plan::Policy::keep;
  std::int64_t channels = 0, height = 0, width = 0;  ///< of its output, for the tile
  std::int64_t kept_bytes = 0;                       ///< live after its forward because of it
  std::int64_t bytes_at_peak = 0;  ///< charged to it when the step's peak was reached
  double forward_seconds = 0, backward_seconds = 0, recompute_seconds = 0;
};

struct StepReport {
  std::int64_t step = 0;  ///< 1-based; the number of optimizer steps done
  std::int64_t epoch = 0;
  double loss = 0;
  double learning_rate = 0;
  plan::PhaseSeconds seconds{};
  double total_seconds = 0;
  std::int64_t peak_bytes = 0;        ///< above what was live before the step
  std::int64_t peak_total_bytes = 0;  ///< live at the peak, weights and optimizer state included
  std::int64_t reserved_bytes = 0;    ///< tensor memory taken from the system
  std::string
      peak_stage{};  ///< stage that holds the peak ("head", "loss", "optimizer" outside stages)
  plan::Plan plan{};
  std::int64_t tiles_at_once = 0;  ///< the batch's tiles, or fewer where it is computed in parts
  std::vector<StageReport> stages{};
  StageReport head{};  ///< always kept, not part of a plan
  /// Of this step; null for most: recorded now and then where a session was asked for it.
  std::shared_ptr<const plan::StepTimeline> timeline{};

  /// Without waiting for data, which is not the plan's doing.
  [[nodiscard]] double seconds_without_data() const {
    return total_seconds - seconds[static_cast<std::size_t>(plan::Phase::data)];
  }
};

struct ClassScore {
  std::string name{};
  double iou = 0, dice = 0;  ///< NaN where the class is in neither truth nor prediction
};

struct ValidationReport {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  double loss = 0;
  double mean_iou = 0, mean_dice = 0;  ///< over the classes that occur
  std::vector<ClassScore> classes{};
  std::int64_t images = 0;
  double seconds = 0;
  std::int64_t peak_total_bytes = 0;
  bool is_best = false;
  std::vector<SharedPreview> previews{};  ///< of the first validation images
};

/// Known once the session is prepared.
struct SessionFacts {
  std::vector<std::string> stages{};
  std::int64_t steps = 0;  ///< optimizer steps of the whole run
  std::int64_t steps_per_epoch = 0;
  std::int64_t validate_every = 0;       ///< steps
  std::int64_t first_step = 0;           ///< steps already done (resume)
  std::int64_t last_validated_step = 0;  ///< as the restored state has it; 0: none
  std::int64_t parameters = 0;
  std::string device{};     ///< "CPU, 2 threads", "NVIDIA …"
  std::string precision{};  ///< as resolved: "bf16"
  std::int64_t budget_bytes = 0;
  plan::Plan plan{};
  std::int64_t tiles_at_once = 0;  ///< where a restored run computes a micro-batch in parts; else 0
  std::vector<plan::Policy> policies{};  ///< those that the network and device can do
  base::DatasetSummary dataset{};
  std::vector<std::string> class_names{};
};

class Session {
 public:
  virtual ~Session() = default;

  /// Reads or scans what is needed, builds the model, restores the state. Throws base::Error.
  [[nodiscard]] SessionFacts prepare(std::stop_token stop) { return do_prepare(stop); }
  /// One optimizer step. Throws base::Error; kind interrupted when `stop` was requested inside it:
  /// then nothing was applied, and the same step is the next one.
  [[nodiscard]] StepReport step(std::stop_token stop) { return do_step(stop); }
  /// Whole-image validation; writes the best model when it is one. interrupted as in step.
  [[nodiscard]] ValidationReport validate(std::stop_token stop) { return do_validate(stop); }
  /// Writes model_last and state_last atomically; returns the bytes written.
  std::int64_t save() { return do_save(); }
  /// Called when one of the three threw out_of_memory: changes how it is done, so that it can be
  /// done again. Throws base::Error (out_of_memory) that says what is needed when nothing is left
  /// to change, or the run is not to be changed.
  [[nodiscard]] MemoryRelief relieve_memory(RepeatedWork work, const base::Error& refusal) {
    return do_relieve_memory(work, refusal);
  }
  /// Takes effect with the next step.
  void set_plan(const plan::Plan& plan) { do_set_plan(plan); }
  void set_learning_rate(double peak_rate) { do_set_learning_rate(peak_rate); }

 private:
  [[nodiscard]] virtual SessionFacts do_prepare(std::stop_token stop) = 0;
  [[nodiscard]] virtual StepReport do_step(std::stop_token stop) = 0;
  [[nodiscard]] virtual ValidationReport do_validate(std::stop_token stop) = 0;
  virtual std::int64_t do_save() = 0;
  [[nodiscard]] virtual MemoryRelief do_relieve_memory(RepeatedWork work,
                                                       const base::Error& refusal) = 0;
  virtual void do_set_plan(const plan::Plan& plan) = 0;
  virtual void do_set_learning_rate(double peak_rate) = 0;
};

}  // namespace headroom::run
